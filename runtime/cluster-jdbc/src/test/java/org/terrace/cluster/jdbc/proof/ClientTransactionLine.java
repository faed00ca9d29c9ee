package org.terrace.cluster.jdbc.proof;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of what an owner's clients tell: what a transaction is about to commit, or how it ended.
 * A line is told before the next step is taken, so that a process that is killed has told of all
 * that it may have done.
 */
sealed interface ClientTransactionLine {
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

  /** A session read something older than what it wrote or read before. */
  record Stale(String what) implements ClientTransactionLine {
    @Override
    public String toString() {
      return "stale " + what;
    }
  }

  /** The servers that are out, by place. */
  record Out(List<String> places) implements ClientTransactionLine {
    @Override
    public String toString() {
      return ("out " + String.join(" ", places)).strip();
    }
  }

  /** The work of a transaction. */
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

  /** Appends its number to lists, and reads others, in this order. */
  record Lists(List<Step> steps) implements Work {
    /** Copies the steps. */
    public Lists {
      steps = List.copyOf(steps);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("lists");
      steps.forEach(step -> text.append(' ').append(step));
      return text.toString();
    }
  }

  /**
   * A step on one list.
   *
   * @param seen the elements that were read; null: the number was appended
   */
  record Step(int list, @Nullable List<Long> seen) {
    @Override
    public String toString() {
      return seen == null ? list + "+" : list + "=" + join(seen);
    }

    private static String join(List<Long> elements) {
      return String.join(",", elements.stream().map(String::valueOf).toList());
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
        case "stale" -> new Stale(text.substring("stale ".length()));
        case "out" -> new Out(List.of(words).subList(1, words.length));
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
      case "lists" -> {
        List<Step> steps = new ArrayList<>();
        for (int i = 3; i < words.length; i++) {
          steps.add(step(words[i]));
        }
        yield new Lists(steps);
      }
      default -> throw new NumberFormatException(words[2]);
    };
  }

  private static Step step(String word) {
    if (word.endsWith("+")) {
      return new Step(Integer.parseInt(word.substring(0, word.length() - 1)), null);
    }
    int equals = word.indexOf('=');
    return new Step(
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
