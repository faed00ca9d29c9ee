# Lists the tests that were skipped and why, and those that passed only when run again, from the
# reports of the test runner under $1.
root=$1
reports() { # prints a line for each test whose report has the element $1
  find "$root" -path '*/target/surefire-reports/TEST-*.xml' -exec awk -v element="<$1" '
    /<testcase / { name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
                   class = $0; sub(/.* classname="/, "", class); sub(/".*/, "", class) }
    index($0, element) { why = $0; sub(/.*message="/, "", why); sub(/".*/, "", why)
                         print "  " class "." name ": " why }' {} +
}
tell() { # prints the list $2 under the heading $1, or the sentence $3 when it is empty
  if [ -n "$2" ]; then
    printf '%s\n%s\n' "$1" "$2"
  else
    echo "$3"
  fi
}
tell "Skipped tests:" "$(reports skipped)" "No test was skipped."
tell "Tests that failed once and passed when run again:" "$(reports flaky)" "No test needed a second run."
