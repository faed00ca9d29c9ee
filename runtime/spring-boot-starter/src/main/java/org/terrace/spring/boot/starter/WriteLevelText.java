package org.terrace.spring.boot.starter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.collections.replication.WriteLevel;

/** The way in which a user writes a {@link WriteLevel}. */
final class WriteLevelText {
  private static final Pattern FORM = Pattern.compile("(all-of-)?([1-9][0-9]{0,3})");

  private WriteLevelText() {}

  /**
   * The level of {@code all}, {@code local}, a number of servers such as {@code 2}, or {@code
   * all-of-2}.
   *
   * @param property where it was written, for the message of an error
   * @throws IllegalArgumentException if it is none of these
   */
  static WriteLevel parse(String property, String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      int holders = Integer.parseInt(form.group(2));
      return form.group(1) == null ? WriteLevel.replicas(holders) : WriteLevel.allOf(holders);
    }
    return switch (text) {
      case "all" -> WriteLevel.ALL;
      case "local" -> WriteLevel.LOCAL;
      default ->
          throw new IllegalArgumentException(
              property
                  + " is '"
                  + text
                  + "': expected all, local, a number of servers such as 2, or all-of-2");
    };
  }
}
