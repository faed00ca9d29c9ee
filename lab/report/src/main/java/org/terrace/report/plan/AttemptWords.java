package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.terrace.report.page.Quantity;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.MeshTrial;

/**
 * The words about trials that counted only at a later attempt, for pages and for a terminal alike:
 * the condition that made an attempt fail may have chosen which measurement counts. Stateless.
 */
public final class AttemptWords {
  /** Trials that are told one by one. */
  private static final int MOST_TOLD = 12;

  private AttemptWords() {}

  /** A sentence for each trial that is done by a later attempt; none if all are by the first. */
  public static List<String> sentences(List<MeshTrial> trials, ConfigurationNames names) {
    List<MeshTrial> later = later(trials);
    List<String> sentences = new ArrayList<>();
    for (MeshTrial trial : later.subList(0, Math.min(MOST_TOLD, later.size()))) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "%s, %,d users, repeat %d, counts at attempt %d. %s",
              names.of(trial.configuration()),
              trial.users(),
              trial.repeat() + 1,
              trial.attempts(),
              reasons(trial)));
    }
    if (later.size() > MOST_TOLD) {
      sentences.add("And so on: the mesh's file has all " + Quantity.count(later.size()) + ".");
    }
    return List.copyOf(sentences);
  }

  /** The reasons why attempts before the last one did not count; empty if there was none. */
  public static String reasons(MeshTrial trial) {
    return IntStream.range(0, trial.earlier().size())
        .mapToObj(each ->
            "Attempt %d: %s."
                .formatted(each + 1, trial.earlier().get(each).strip().replaceFirst("\\.$", "")))
        .collect(Collectors.joining(" "));
  }

  /** The trials that are done by a later attempt. */
  static List<MeshTrial> later(List<MeshTrial> trials) {
    return trials.stream().filter(trial -> trial.isDone() && trial.attempts() > 1).toList();
  }

  /** The number of these trials, as a sentence; empty if there is none. */
  static String count(List<MeshTrial> trials) {
    int count = later(trials).size();
    return count == 0
        ? ""
        : Quantity.count(count, "trial")
            + (count == 1 ? " counts" : " count")
            + " only at a later attempt.";
  }
}
