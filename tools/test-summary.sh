# Lists the tests under $1 that were skipped and why, and those that passed only when run again,
# from the reports that the test runner wrote after the file $2; ends with status 1 if more than
# two passed only again: a build that needs luck proves nothing. Also those of chance that first failed. Where the depth $3 is short, it counts
# what that left out in the folders $4 and so on, relative to $1, by what the tests say in their sources.
root=$1
since=$2
depth=$3
shift 3
again_max=2
reports() { # prints a line for each test whose report has the element $1: its message, or its type
  find "$root" -path '*/target/surefire-reports/TEST-*.xml' -newer "$since" -exec awk -v element="<$1" '
    function value(tag, attribute) {
      if (!match(tag, " " attribute "=\"[^\"]*\"")) return ""
      return substr(tag, RSTART + length(attribute) + 3, RLENGTH - length(attribute) - 4)
    }
    /<testcase / { test = value($0, "classname") "." value($0, "name"); told = 0 }
    (at = index($0, element)) && !told {
      tag = substr($0, at)
      sub(/>.*/, "", tag)
      why = value(tag, "message")
      if (why == "") why = value(tag, "type")
      if (length(why) > 300) why = substr(why, 1, 300) " ..."
      print "  " test (why == "" ? "" : ": " why)
      told = 1
    }' {} +
}
tell() { # prints the list $2 under the heading $1, or the sentence $3 when it is empty
  if [ -n "$2" ]; then
    printf '%s\n%s\n' "$1" "$2"
  else
    echo "$3"
  fi
}
again=$(reports flaky)
count=$(printf '%s' "$again" | grep -c '^  ')
tell "Skipped tests:" "$(reports skipped)" "No test was skipped."
tell "Tests that passed only when run again: $count, at most $again_max may." "$again" \
  "No test needed a second run."
doubted=$(find "$root" -path '*/target/surefire-reports/TEST-*.xml' -newer "$since" \
  -exec grep -l 'further trials decide' {} + |
  grep -v '\.TrialsTest\.xml$' | sed 's:.*/TEST-:  :; s:\.xml$::' | sort)
tell "Tests whose first seed failed, which chance may do, so that many more decided (Trials):" "$doubted" \
  "No test left its verdict to more seeds."
say_in() { # counts the test classes in the folders after $1 that have a line with the pattern $1
  pattern=$1
  shift
  (cd "$root" && find "$@" \( -name target ! -path '*/src/*' \) -prune -o -path '*/src/test/java/*.java' \
    -exec grep -l "$pattern" {} +) 2>/dev/null | sort -u | wc -l | tr -d ' '
}
if [ "$depth" = short ]; then
  modules=
  [ "$*" = . ] || modules=" $*"
  printf '%s %s %s\n' "Short build: test classes with long tests that were left out:" \
    "$(say_in '@Tag("long")' "$@"), with fewer repetitions: $(say_in 'Depth[.#][a-z]' "$@")." \
    "./build --whole$modules runs all of it (CONTRIBUTING.md)."
fi
[ "$count" -le "$again_max" ]
