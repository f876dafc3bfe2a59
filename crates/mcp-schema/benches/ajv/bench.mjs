// Times ajv: compiling the tool's schema, and parsing and validating its arguments.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name), "utf8");
const schema = JSON.parse(read("schema.json"));
const options = { strict: false, allErrors: true, validateFormats: false };

/** Median time of a call in microseconds, over batches of `count`. */
function time(count, call) {
  for (let warm = 0; warm < count; warm += 1) call();
  const batches = [];
  for (let batch = 0; batch < 15; batch += 1) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < count; at += 1) call();
    batches.push(Number(process.hrtime.bigint() - start) / count / 1000);
  }
  return batches.sort((a, b) => a - b)[7].toFixed(2);
}

const validate = new Ajv2020(options).compile(schema);
console.log(`compile, a fresh instance: ${time(5, () => new Ajv2020(options).compile(schema))} us`);
for (const name of ["valid", "invalid"]) {
  const text = read(`${name}.json`);
  const value = JSON.parse(text);
  console.log(`validate/${name}, parsed before: ${time(20000, () => validate(value))} us`);
  console.log(`validate/${name}, with parsing: ${time(20000, () => validate(JSON.parse(text)))} us`);
}
