package org.terrace.specification;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeType;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The wording of problems. Stateless. */
public final class Words {
  /** A guess further away than this many edits helps nobody. */
  private static final int FARTHEST_GUESS = 3;

  /** Longer values are cut in messages. */
  private static final int LONGEST_VALUE = 60;

  private Words() {}

  /** The words of a message for a node: its quoted text, or the kind of its structure. */
  static String describe(Node node) {
    if (node instanceof ScalarNode scalar) {
      String text = scalar.getValue().strip();
      if (text.isEmpty()) {
        return "empty";
      }
      boolean cut = text.length() > LONGEST_VALUE;
      return "'" + (cut ? text.substring(0, LONGEST_VALUE) + "..." : text) + "'";
    }
    return node.getNodeType() == NodeType.SEQUENCE ? "a list" : "a group of fields";
  }

  /** A sentence about a word that is not one of those expected. */
  public static String unknown(
      String kind, String word, String where, Collection<String> expected) {
    String guess = nearest(word, expected).map(near -> "; did you mean '" + near + "'?").orElse("");
    return "unknown "
        + kind
        + " '"
        + word
        + "' in "
        + where
        + guess
        + " (expected one of: "
        + String.join(", ", expected)
        + ")";
  }

  /** The expected word nearest to one that was written, when it is near enough to be meant. */
  public static Optional<String> nearest(String word, Collection<String> expected) {
    int farthest = Math.min(FARTHEST_GUESS, Math.max(1, word.length() / 2));
    return expected.stream()
        .filter(candidate -> distance(word, candidate) <= farthest)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /**
   * The number of insertions, deletions and replacements of a character that turn one word into the
   * other, ignoring case (Levenshtein, 1966). O(m n) time, O(n) space.
   */
  private static int distance(String left, String right) {
    String from = left.toLowerCase(Locale.ROOT);
    String to = right.toLowerCase(Locale.ROOT);
    int[] previous = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced =
            previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
        int edited = Math.min(previous[column], current[column - 1]) + 1;
        current[column] = Math.min(replaced, edited);
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
