package org.terrace.cluster.sql;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The primary key by which a statement tells the only row that it touches, in the key's order.
 * Immutable.
 *
 * @param parts for each column of the key, its value
 */
public record RowChoice(String table, List<Part> parts) {
  /** No sign, no leading zero: what every server reads as the same number. */
  private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]{0,18}");

  /**
   * The value of one column of a key.
   *
   * @param place the number of the client's parameter that holds it, from 1; 0: it stands in the
   *     statement
   * @param number the value that stands in the statement
   * @param greatest the greatest value that the column holds
   */
  public record Part(int place, long number, long greatest) {}

  /** Copies the list. */
  public RowChoice {
    parts = List.copyOf(parts);
  }

  /**
   * The row's key as text, equal for equal keys.
   *
   * @param parameters the client's parameters by their places, from 1
   * @return empty if a value is not plainly a number that its column holds: below zero, too great,
   *     a fraction, null
   */
  public Optional<String> key(IntFunction<@Nullable Object> parameters) {
    StringJoiner key = new StringJoiner(",");
    for (Part part : parts) {
      OptionalLong number =
          part.place() == 0
              ? OptionalLong.of(part.number())
              : keyOf(parameters.apply(part.place()), part.greatest());
      if (number.isEmpty()) {
        return Optional.empty();
      }
      key.add(Long.toString(number.getAsLong()));
    }
    return Optional.of(key.toString());
  }

  static OptionalLong keyOf(@Nullable Object value, long greatest) {
    boolean plain =
        switch (value) {
          case Long number -> true;
          case Integer number -> true;
          case Short number -> true;
          case Byte number -> true;
          case BigInteger number -> true;
          case String text -> true;
          case null, default -> false;
        };
    String text = String.valueOf(value);
    if (!plain || !DIGITS.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    BigInteger number = new BigInteger(text);
    return number.compareTo(BigInteger.valueOf(greatest)) <= 0
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }
}
