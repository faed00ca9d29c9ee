set -u
umask 022
java=$1 cache=$2
[ -n "$cache" ] || cache=${TERRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/terrace}/hosts
if [ -z "$java" ]; then
  if [ -n "${JAVA_HOME:-}" ]; then java=$JAVA_HOME/bin/java; else java=java; fi
fi
# A JVM tells on its errors what it picked up from the environment, and a shell why it has none.
version=$("$java" --version 2>/dev/null | head -n 1)
[ -n "$version" ] || version=$("$java" --version 2>&1 | head -n 1)
mkdir -p "$cache" && cache=$(cd "$cache" >/dev/null && pwd) || exit 3
# A greeting may have left its line open.
printf "\nterrace-host 1 %s\n" "$cache"
printf "terrace-java %s\n" "$version"

has() { # whether the cache has the archive $2 with the digest $1, whole
  [ -f "$cache/$1/$2" ] || return 1
  found=$(sha256sum <"$cache/$1/$2") && [ "${found%% *}" = "$1" ]
}

while read -r word digest size name; do
  case $word in
    want) has "$digest" "$name" || printf "need %s\n" "$digest" ;;
    listed) printf "listed\n" ;;
    file)
      mkdir -p "$cache/$digest" || exit 3
      new=$cache/$digest/$name.$$
      head -c "$size" >"$new" || { rm -f "$new"; exit 3; }
      sum=$(sha256sum <"$new")
      if [ "${sum%% *}" != "$digest" ]; then
        rm -f "$new"
        printf "%s arrived with other bytes than were sent\n" "$name" >&2
        exit 3
      fi
      mv "$new" "$cache/$digest/$name" || exit 3
      ;;
    run) break ;;
  esac
done
[ "$word" = run ] || exit 0
# The options came as one word.
options=$(printf "%s" "$digest" | tr , " ")
exec "$java" $options -cp "$name" "$size"
