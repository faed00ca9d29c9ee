# Lists the tests that were skipped and why, from the reports of the test runner under $1.
root=$1
list=$(find "$root" -path '*/target/surefire-reports/TEST-*.xml' -exec awk '
  /<testcase / { name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
                 class = $0; sub(/.* classname="/, "", class); sub(/".*/, "", class) }
  /<skipped/   { why = $0; sub(/.*message="/, "", why); sub(/".*/, "", why)
                 print "  " class "." name ": " why }' {} +)
if [ -n "$list" ]; then
  echo "Skipped tests:"
  printf '%s\n' "$list"
else
  echo "No test was skipped."
fi
