# Ends the process groups of a host that died. Input: "add ID" and "drop ID" lines; its end is the
# host's end.
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
ids=:
while read -r word id; do
  case $word in
  add) ids=$ids$id: ;;
  drop) case $ids in *:$id:*) ids=${ids%%:$id:*}:${ids#*:$id:} ;; esac ;;
  esac
done
IFS=:
# Signals every group and forgets those that are gone, whose ids may soon be a stranger's.
signal() {
  left=:
  for id in $ids; do
    case $id in ?*) kill -s "$1" -- "-$id" && left=$left$id: ;; esac
  done
  ids=$left
}
for step in 0 TERM CONT 0 KILL; do
  signal $step
  case $ids in :) exit ;; esac
  case $step in 0 | CONT) sleep 1 ;; esac
done
