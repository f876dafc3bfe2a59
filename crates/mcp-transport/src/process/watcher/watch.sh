# Ends the process groups of a host that died. Input: "add ID" and "drop ID" lines; its end is the
# host's end. An ID is that of a group, or "p" and the inode of the pipe that is some output.
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
# Each is a variable, which a shell finds faster than a word in a long list.
while read -r word id; do
  case $word in
  add) eval "at$id=" ;;
  drop) unset "at$id" ;;
  esac
done
ids=:$(set | while read -r line; do
  case $line in at*=*) line=${line%%=*} && printf %s: "${line#at}" ;; esac
done)
IFS=:
# Starts that the host did not live to report. Each leads a group, and by now it has replaced the
# copy of the host that held the other end of our input.
case $ids in *:p*)
  for id in $(ls -l /proc/[0-9]*/fd/1 | while read -r line; do
    pipe=${line##*pipe:\[}
    case $ids in *:"p${pipe%]}":*) line=${line%%/fd/1*} && printf %s: "${line##*/}" ;; esac
  done); do
    ids=$ids$id:
  done ;;
esac
# Signals every group and forgets those that are gone, whose ids may soon be a stranger's.
signal() {
  left=:
  for id in $ids; do
    # Some shells need the "--", and others take it for a process.
    case $id in [1-9]*)
      if kill -s "$1" -- "-$id" || kill -s "$1" "-$id"; then left=$left$id:; fi ;;
    esac
  done
  ids=$left
}
for step in 0 TERM CONT 0 KILL; do
  signal $step
  case $ids in :) exit ;; esac
  case $step in 0 | CONT) sleep 1 ;; esac
done
