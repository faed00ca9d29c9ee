set -u
umask 022
java=$1 cache=$2
[ -n "$cache" ] || cache=${TERRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/terrace}/hosts
if [ -z "$java" ]; then
  if [ -n "${JAVA_HOME:-}" ]; then java=$JAVA_HOME/bin/java; else java=java; fi
fi
version=$("$java" --version 2>&1 | head -n 1)
printf "terrace-host 1 %s\n" "$cache"
printf "terrace-java %s\n" "$version"
mkdir -p "$cache" || exit 3
while read -r word digest size name; do
  case $word in
    want) [ -f "$cache/$digest/$name" ] || printf "need %s\n" "$digest" ;;
    listed) printf "listed\n" ;;
    file)
      mkdir -p "$cache/$digest" || exit 3
      new=$cache/$digest/$name.$$
      head -c "$size" >"$new" || exit 3
      sum=$(sha256sum <"$new")
      if [ "${sum%% *}" != "$digest" ]; then
        rm -f "$new"
        printf "%s arrived with other bytes than were sent\n" "$name" >&2
        exit 3
      fi
      mv "$new" "$cache/$digest/$name"
      ;;
    run) break ;;
  esac
done
[ "$word" = run ] || exit 0
# The options came as one word.
options=$(printf "%s" "$digest" | tr , " ")
exec "$java" $options -cp "$name" "$size"
