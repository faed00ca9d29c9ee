package org.terrace.cluster.controller.proof;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.testing.isolation.ListStep;
import org.terrace.testing.isolation.ListStep.Append;
import org.terrace.testing.isolation.ListStep.Read;

/**
 * One line of what an owner's clients tell: what a transaction is about to commit, or how it ended.
 * A line is told before the next step is taken, so that a process that is killed has told of all
 * that it may have done.
 */
sealed interface ClientTransactionLine {
  /** The words with which works on lists begin. */
  String LISTS = "lists";

  String SNAPSHOT = "snapshot";

  /** About to commit: its steps are done. */
  record Committing(long id, Work work) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "committing " + id + " " + work;
    }
  }

  /** Committed, as the cluster says. */
  record Acknowledged(long id) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "acknowledged " + id;
    }
  }

  /** Failed with nothing kept, as the cluster says. */
  record Refused(long id, String state) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "refused " + id + " " + state;
    }
  }

  /** Ended with an outcome that the cluster does not know. */
  record Unknown(long id) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "unknown " + id;
    }
  }

  /** A session read something older than what it wrote or read before. */
  record Stale(String what) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "stale " + what;
    }
  }

  /** The changes and reads of a transaction. */
  sealed interface Work {}

  /** Moves an amount from one account to another, and notes it as a row of its own. */
  record Transfer(int source, int target, long amount) implements Work {
    @Override
    public String toString() {
      return "transfer " + source + " " + target + " " + amount;
    }
  }

  /** Sets the register of a client. */
  record Register(int client) implements Work {
    @Override
    public String toString() {
      return "register " + client;
    }
  }

  /**
   * Appends numbers to lists, and reads others, in this order.
   *
   * @param snapshot whether all that it reads is of one moment, as it writes nothing
   * @param steps the steps
   */
  record Lists(boolean snapshot, List<ListStep> steps) implements Work {
    /** Copies the steps. */
    public Lists {
      steps = List.copyOf(steps);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(snapshot ? SNAPSHOT : LISTS);
      steps.forEach(step -> text.append(' ').append(text(step)));
      return text.toString();
    }

    private static String text(ListStep step) {
      return switch (step) {
        case Append(int list, long element) -> list + "+" + element;
        case Read(int list, List<Long> seen) ->
            list + "=" + String.join(",", seen.stream().map(String::valueOf).toList());
      };
    }
  }

  /**
   * The line of which that is the text; null when it is none, as the last one of a killed process.
   */
  static @Nullable ClientTransactionLine parse(String text) {
    String[] words = text.split(" ", -1);
    try {
      return switch (words[0]) {
        case "committing" -> new Committing(Long.parseLong(words[1]), work(words));
        case "acknowledged" -> new Acknowledged(Long.parseLong(words[1]));
        case "refused" -> new Refused(Long.parseLong(words[1]), words[2]);
        case "unknown" -> new Unknown(Long.parseLong(words[1]));
        case "stale" -> new Stale(text.substring("stale ".length()));
        default -> null;
      };
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return null;
    }
  }

  private static Work work(String[] words) {
    return switch (words[2]) {
      case "transfer" ->
          new Transfer(
              Integer.parseInt(words[3]), Integer.parseInt(words[4]), Long.parseLong(words[5]));
      case "register" -> new Register(Integer.parseInt(words[3]));
      case LISTS, SNAPSHOT -> {
        List<ListStep> steps = new ArrayList<>();
        for (int i = 3; i < words.length; i++) {
          steps.add(step(words[i]));
        }
        yield new Lists(words[2].equals(SNAPSHOT), steps);
      }
      default -> throw new NumberFormatException(words[2]);
    };
  }

  private static ListStep step(String word) {
    int plus = word.indexOf('+');
    if (plus >= 0) {
      return new Append(
          Integer.parseInt(word.substring(0, plus)), Long.parseLong(word.substring(plus + 1)));
    }
    int equals = word.indexOf('=');
    return new Read(
        Integer.parseInt(word.substring(0, equals)), elements(word.substring(equals + 1)));
  }

  /** The numbers of a text in which commas separate them. */
  static List<Long> elements(String text) {
    List<Long> elements = new ArrayList<>();
    for (String element : text.split(",", -1)) {
      if (!element.isEmpty()) {
        elements.add(Long.parseLong(element));
      }
    }
    return elements;
  }
}
