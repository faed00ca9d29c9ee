package org.terrace.cluster.controller;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The look of a statement that may be a definition, which may stay whatever follows. Stateless. */
final class DefinitionText {
  private static final Pattern FIRST_WORD =
      Pattern.compile("\\A(?:\\s|\\(|--[^\\n]*+\\n|#[^\\n]*+\\n|/\\*(?s:.*?)\\*/)*+([A-Za-z]+)");
  private static final Set<String> OTHERS =
      Set.of("insert", "update", "delete", "replace", "select", "with", "values", "set");

  /** Whether it is a query that begins as one. */
  static boolean isQuery(String sql) {
    Matcher first = FIRST_WORD.matcher(sql);
    return first.find() && first.group(1).equalsIgnoreCase("select");
  }

  private DefinitionText() {}

  /** Whether it may be one: it is unless it begins as something else does. */
  static boolean mayBe(String sql) {
    Matcher first = FIRST_WORD.matcher(sql);
    return sql.contains("/*!")
        || sql.contains("/*M!")
        || !first.find()
        || !OTHERS.contains(first.group(1).toLowerCase(Locale.ROOT));
  }
}
