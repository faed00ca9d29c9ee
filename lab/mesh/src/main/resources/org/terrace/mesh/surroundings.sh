set -u
if [ -n "${TERRACE_CACHE:-}" ]; then
  cache=$TERRACE_CACHE
elif [ "$(id -u)" = 0 ]; then
  cache=/var/cache/terrace
else
  cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/terrace
fi

fact() { # A greeting may have left its line open.
  printf "\nterrace-%s %s\n" "$1" "$2"
}

program() { # the digest of the files $2... of the program $1, where all are there
  name=$1
  shift
  for file; do
    [ -r "$file" ] || return 0
  done
  sum=$(cat "$@" | sha256sum) || exit 3
  fact "program $name" "${sum%% *}"
  for file; do
    fact "file $name" "$file"
  done
}

if [ "$machine" = yes ]; then
  [ -n "$java" ] || java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  cpu=$(sed -n "s/^model name[^:]*: *//p" /proc/cpuinfo | head -n 1)
  fact cores "$(nproc)"
  fact memory "$(sed -n "s/^MemTotal: *//p" /proc/meminfo)"
  fact cpu "${cpu:-$(uname -m)}"
  fact kernel "$(uname -sr)"
  fact java "$("$java" --version 2>/dev/null </dev/null | sed -n 2p)"
fi

# They reach every server, and may hold a password.
options=${JDK_JAVA_OPTIONS:-}/${JAVA_TOOL_OPTIONS:-}/${_JAVA_OPTIONS:-}
if [ "$options" != // ]; then
  sum=$(printf "%s" "$options" | sha256sum) || exit 3
  fact options "${sum%% *}"
fi

# Archives that Terrace brings are known by the bytes of its own libraries.
if [ -n "${TERRACE_POSTGRES_HOME:-}" ]; then
  home=$TERRACE_POSTGRES_HOME/bin
  program postgresql "$home/initdb" "$home/postgres" "$home/pg_ctl"
fi
if [ -n "${TERRACE_MARIADB_HOME:-}" ]; then
  home=$TERRACE_MARIADB_HOME
  program mariadb "$home/bin/mariadbd" "$home/share/english/errmsg.sys" \
    "$home/share/mariadb_system_tables.sql" "$home/share/mariadb_system_tables_data.sql"
fi
server=usr/sbin/mariadbd
spider=usr/lib/mysql/plugin/ha_spider.so
galera=usr/lib/galera/libgalera_smm.so
arbitrator=usr/bin/garbd
root=$system
for file in $server $spider $galera $arbitrator; do
  [ -r "$root/$file" ] || root=$cache/ndb-like
done
program ndb-like "$root/$server" "$root/$spider" "$root/$galera" "$root/$arbitrator"
program apache "$system/usr/sbin/apache2" "$system"/usr/lib/apache2/modules/mod_proxy*.so
