set -u
umask 022
IFS= read -r java && IFS= read -r cache || exit 3
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

take() { # takes $1 bytes into the file $2, and tells of each piece that it has them
  left=$1 taken=0
  : >"$2" || return 1
  while [ "$left" -gt 0 ]; do
    piece=131072
    [ "$left" -ge "$piece" ] || piece=$left
    head -c "$piece" >>"$2" || return 1
    left=$((left - piece)) taken=$((taken + piece))
    printf "took %s %s\n" "$digest" "$taken"
  done
}

while read -r word digest size name; do
  case $word in
    want)
      if has "$digest" "$name"; then printf "have %s\n" "$digest"; else printf "need %s\n" "$digest"; fi
      ;;
    listed) printf "listed\n" ;;
    file)
      mkdir -p "$cache/$digest" || exit 3
      for old in "$cache/$digest/$name".*; do # what a connection that was cut has left
        [ -d "/proc/${old##*.}" ] || rm -f "$old"
      done
      new=$cache/$digest/$name.$$
      if ! take "$size" "$new"; then
        rm -f "$new"
        printf "%s cannot be written into %s: is the disk full?\n" "$name" "$cache" >&2
        exit 3
      fi
      sum=$(sha256sum <"$new")
      if [ "${sum%% *}" != "$digest" ]; then
        rm -f "$new"
        printf "%s arrived with other bytes than were sent\n" "$name" >&2
        exit 3
      fi
      mv "$new" "$cache/$digest/$name" || exit 3
      printf "kept %s\n" "$digest"
      ;;
    brought) printf "brought\n" ;;
    run) break ;;
  esac
done
[ "$word" = run ] || exit 0
# The options came as one word.
options=$(printf "%s" "$digest" | tr , " ")
exec "$java" $options -cp "$name" "$size"
