package org.terrace.cli.history;

import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Names in the order in which people count: {@code run-9} before {@code run-10}. Stateless. */
final class NaturalOrder implements Comparator<String> {
  private static final Pattern PART = Pattern.compile("\\d+|\\D+");
  private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=\\d)");

  @Override
  public int compare(String one, String other) {
    List<String> first = parts(one);
    List<String> second = parts(other);
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      int order = compareParts(first.get(i), second.get(i));
      if (order != 0) {
        return order;
      }
    }
    int order = Integer.compare(first.size(), second.size());
    return order != 0 ? order : one.compareTo(other);
  }

  private static int compareParts(String one, String other) {
    if (!isNumber(one) || !isNumber(other)) {
      return one.compareTo(other);
    }
    String first = LEADING_ZEROS.matcher(one).replaceFirst("");
    String second = LEADING_ZEROS.matcher(other).replaceFirst("");
    int order = Integer.compare(first.length(), second.length());
    return order != 0 ? order : first.compareTo(second);
  }

  private static boolean isNumber(String part) {
    return part.charAt(0) >= '0' && part.charAt(0) <= '9';
  }

  private static List<String> parts(String name) {
    return PART.matcher(name).results().map(MatchResult::group).toList();
  }
}
