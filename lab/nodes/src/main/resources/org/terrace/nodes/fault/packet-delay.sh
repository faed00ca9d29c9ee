# Has packets of one address wait in a queue of its own until the standard input ends, and then heals.
# Arguments: devices, address, the port of ssh, the queue, the seconds in which a packet has left it.
# All delays of a device share a root, 7e44:; each has a class and filters, and whoever ends last takes the
# root away. Locks are the kernel's, on a file that every user may read, and end with whoever holds them.
devices=$1 address=$2 port=$3 queue=$4 seconds=$5
made=
trap '' HUP INT TERM
changing=/sys/class/net/lo/ifindex # locked by who changes queues
living=/sys/class/net/lo/mtu       # locked, together with others, by who has a delay in force

begin_change() { # waits until nobody else changes queues; false after some time
  [ -r "$changing" ] || return 0
  exec 9<"$changing"
  flock -w 8 9
}

end_change() {
  exec 9<&-
}

classes() { # prints the numbers of the classes of a device
  tc class show dev "$1" | sed -n 's/^class htb 7e44:\([0-9a-f]*\) .*/\1/p'
}

remove_left() { # removes the roots of delays that were killed, with the processes that were to heal them
  [ -r "$living" ] || return 0
  exec 8<"$living"
  if flock -n 8; then
    for device in $devices; do
      case $(tc qdisc show dev "$device") in
        *"htb 7e44: root"*) tc qdisc del dev "$device" root handle 7e44: 2>/dev/null ;;
      esac
    done
  fi
  flock -s -w 8 8
}

choose() { # sets a number that no class of the devices has
  taken=" $(for device in $devices; do classes "$device"; done | tr '\n' ' ')"
  number=1
  while :; do
    class=$(printf '%x' "$number")
    case $taken in *" $class "*) number=$((number + 1)) ;; *) return ;; esac
  done
}

set_up() {
  for device in $devices; do
    case $(tc qdisc show dev "$device") in
      *"htb 7e44: root"*) ;;
      *) tc qdisc add dev "$device" root handle 7e44: htb default 0 direct_qlen 100000 || return 1 ;;
    esac
    made="$made $device"
    tc class add dev "$device" parent 7e44: classid "7e44:$class" \
      htb rate 100gbit burst 10m cburst 10m quantum 200000 || return 1
    tc qdisc add dev "$device" parent "7e44:$class" $queue || return 1
    [ -z "$port" ] || tc filter add dev "$device" parent 7e44: protocol ip prio "$number" u32 \
      match ip protocol 6 0xff match ip sport "$port" 0xffff flowid 7e44:0 || return 1
    tc filter add dev "$device" parent 7e44: protocol ip prio "$number" u32 \
      match ip src "$address/32" flowid "7e44:$class" || return 1
  done
}

release() { # new packets pass at once
  for device in $made; do
    tc filter del dev "$device" parent 7e44: prio "$number"
  done
}

remove() {
  for device in $made; do
    tc class del dev "$device" classid "7e44:$class"
    left=$(tc class show dev "$device") || continue
    case $left in *"htb 7e44:"*) ;; *) tc qdisc del dev "$device" root handle 7e44: ;; esac
  done
}

is_healed() { # whether no device has the class any more, as the kernel says; one that is gone has none
  for device in $made; do
    if left=$(tc class show dev "$device" 2>&1); then
      case $left in *"htb 7e44:$class "*) return 1 ;; esac
    else
      case $left in *"Cannot find device"*) ;; *) return 1 ;; esac
    fi
  done
}

if ! begin_change; then
  echo "another process has been changing queues of this machine for 8 s"
  exit 1
fi
remove_left
choose
if ! set_up; then
  { release; remove; } >/dev/null 2>&1
  exit 1
fi
end_change
echo "in force"
read -r _
for device in $made; do
  tc -s qdisc show dev "$device" | grep -A 1 "parent 7e44:$class "
done
exec >/dev/null 2>&1
release
sleep "$seconds" # those that wait arrive; else each end would be a loss as well
begin_change
remove
is_healed || { sleep 1; remove; is_healed; } # its status tells whoever waits for the end
