//! The id of an answer, matched to the numbers that we send.

/// What an answer says about the request it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerId {
    /// A number that we may have sent. Some servers turn it into a string; its decimal form is taken.
    Number(u64),
    /// `null` or nothing: the server could not tell which request it answers.
    None,
    /// Something that we never send.
    Strange,
}

impl AnswerId {
    /// Reads the JSON text of an id.
    pub(crate) fn parse(json: Option<&str>) -> Self {
        let Some(json) = json else { return Self::None };
        if json == "null" {
            return Self::None;
        }
        let digits = match json.strip_prefix('"') {
            Some(rest) => rest.strip_suffix('"').unwrap_or(rest),
            // A number that lost its kind on the way, such as 7.0, is the same JSON number.
            None => json.trim_end_matches('0').strip_suffix('.').unwrap_or(json),
        };
        let canonical = digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        match digits.parse() {
            Ok(number) if canonical => Self::Number(number),
            _ => Self::Strange,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AnswerId::{self, None as Nothing, Number, Strange};

    #[test]
    fn an_id_is_its_number_or_the_decimal_form_of_it() {
        let cases = [
            (Some("7"), Number(7)),
            (Some("70"), Number(70)),
            (Some("0"), Number(0)),
            (Some("7.0"), Number(7)),
            (Some("10.00"), Number(10)),
            (Some("\"7\""), Number(7)),
            (Some("\"0\""), Number(0)),
            (Some("\"7.0\""), Strange),
            (Some("\"07\""), Strange),
            (Some("\"+7\""), Strange),
            (Some("\"\""), Strange),
            (Some("-7"), Strange),
            (Some("7.5"), Strange),
            (Some("7e0"), Strange),
            (Some("{}"), Strange),
            (Some("99999999999999999999999"), Strange),
            (Some("null"), Nothing),
            (None, Nothing),
        ];
        for (json, expected) in cases {
            assert_eq!(AnswerId::parse(json), expected, "{json:?}");
        }
    }
}
