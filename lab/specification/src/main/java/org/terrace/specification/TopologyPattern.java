package org.terrace.specification;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.experiment.Topology;

/**
 * A set of topologies in one word: four numbers with slashes between them, each of them a number, a
 * range <code>{1..3}</code>, a range with a step <code>{1..9..2}</code> or a set <code>{1,2,4}
 * </code>; behind them perhaps {@code M}, {@code P} or {@code N} for MariaDB, PostgreSQL or an
 * NDB-like database, and {@code L} for low-cost nodes of the database tier. Immutable.
 *
 * <p>Source: the notation of Malkowski and others, "A New Perspective on Experimental Analysis of
 * N-tier Systems", section 3.3, with ranges.
 *
 * @param topologies all of them, those of the last number's range side by side
 * @param database the database that the word names, as in a specification; empty if it names none
 * @param lowCost whether the database's nodes are of the type {@value #LOW_COST}
 */
record TopologyPattern(List<String> topologies, Optional<String> database, boolean lowCost) {
  /** The type of node that the letter stands for. */
  public static final String LOW_COST = "L";

  /** A sentence about the form, for messages. */
  public static final String FORM =
      "web/app/middleware/database with numbers, ranges and sets, such as 1/2/0/1,"
          + " 1/{1..3}/1/{1..9}ML or 1/{1,2,4}/0/1";

  private static final String NUMBER = "\\d{1,2}";
  private static final String RANGE = "\\{" + NUMBER + "\\.\\." + NUMBER + "(?:\\.\\.\\d{1,2})?\\}";
  private static final String SET = "\\{" + NUMBER + "(?:," + NUMBER + ")*\\}";
  private static final String PART = "(" + NUMBER + "|" + RANGE + "|" + SET + ")";
  private static final Pattern WORD =
      Pattern.compile(PART + "/" + PART + "/" + PART + "/" + PART + "([MPN]?)(L?)");

  /** The topologies of a word; empty when it is not of the {@link #FORM}, or a range holds none. */
  public static Optional<TopologyPattern> parse(String word) {
    Matcher matcher = WORD.matcher(word);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<String> topologies = List.of("");
    for (int part = 1; part <= 4; part++) {
      List<Integer> numbers = numbers(matcher.group(part));
      if (numbers.isEmpty()) {
        return Optional.empty();
      }
      List<String> longer = new ArrayList<>();
      for (String before : topologies) {
        for (int number : numbers) {
          longer.add(before.isEmpty() ? Integer.toString(number) : before + "/" + number);
        }
      }
      topologies = longer;
    }
    Optional<String> database =
        switch (matcher.group(5)) {
          case "M" -> Optional.of("mariadb");
          case "P" -> Optional.of("postgresql");
          case "N" -> Optional.of("ndb-like");
          default -> Optional.empty();
        };
    return Optional.of(
        new TopologyPattern(topologies, database, matcher.group(6).equals(LOW_COST)));
  }

  /** Copies the list. */
  public TopologyPattern {
    topologies = List.copyOf(topologies);
  }

  private static List<Integer> numbers(String part) {
    if (!part.startsWith("{")) {
      return List.of(Integer.parseInt(part));
    }
    String inside = part.substring(1, part.length() - 1);
    if (!inside.contains("..")) {
      Set<Integer> numbers = new LinkedHashSet<>();
      for (String number : inside.split(",", -1)) {
        numbers.add(Integer.parseInt(number));
      }
      return List.copyOf(numbers);
    }
    String[] ends = inside.split("\\.\\.", -1);
    int to = Math.min(Integer.parseInt(ends[1]), Topology.MAXIMUM_SERVERS_OF_A_TIER);
    int step = ends.length > 2 ? Integer.parseInt(ends[2]) : 1;
    List<Integer> numbers = new ArrayList<>();
    for (int number = Integer.parseInt(ends[0]); step > 0 && number <= to; number += step) {
      numbers.add(number);
    }
    return numbers;
  }
}
