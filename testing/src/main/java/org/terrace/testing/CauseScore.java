package org.terrace.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Causes that were named beside those that were true. Confined to one thread. */
public final class CauseScore {
  /** The name of what got no cause. */
  public static final String NONE = "none";

  /** The normal quantile of a 95 % interval. */
  private static final double Z = 1.96;

  private final List<Answer> answers = new ArrayList<>();

  /**
   * A judged effect.
   *
   * @param truth the true cause
   * @param told whether an event tells of it
   * @param named the cause that was named; {@link #NONE} if none was
   * @param right whether that names the true one
   * @param p the probability by chance that was given with it; 1 if none was named
   */
  public record Answer(String truth, boolean told, String named, boolean right, double p) {
    boolean wrong() {
      return !right && !named.equals(NONE);
    }
  }

  /** A share with its 95 % interval (Wilson 1927): {@code low <= value <= high}. */
  public record Share(int count, int of, double low, double high) {
    /** The share itself; 0 of none. */
    public double value() {
      return of == 0 ? 0 : count / (double) of;
    }
  }

  /** Adds a judged effect. */
  public void add(Answer answer) {
    answers.add(answer);
  }

  /** The effects of told causes whose cause was named, at a probability of at most so much. */
  public Share right(double p) {
    return share(
        answers.stream().filter(each -> each.told && each.right && each.p <= p).count(),
        answers.stream().filter(Answer::told).count());
  }

  /** The effects, told of or not, for which another cause was named. */
  public Share wrong(double p) {
    return share(
        answers.stream().filter(each -> each.wrong() && each.p <= p).count(), answers.size());
  }

  /** The causes that are true, of those named at a probability of at most so much. */
  public Share precision(double p) {
    List<Answer> named =
        answers.stream().filter(each -> !each.named.equals(NONE) && each.p <= p).toList();
    return share(named.stream().filter(Answer::right).count(), named.size());
  }

  /**
   * The number of times that each name was given to each true cause; right ones as {@code right}.
   */
  public Map<String, Map<String, Integer>> matrix() {
    Map<String, Map<String, Integer>> matrix = new TreeMap<>();
    for (Answer each : answers) {
      matrix
          .computeIfAbsent(each.truth, truth -> new TreeMap<>())
          .merge(each.right ? "right" : each.named, 1, Integer::sum);
    }
    return matrix;
  }

  /** The score of one true cause alone; of all if it is null. */
  public CauseScore of(@Nullable String truth) {
    CauseScore part = new CauseScore();
    answers.stream().filter(each -> truth == null || each.truth.equals(truth)).forEach(part::add);
    return part;
  }

  /** A share of a count with its interval. */
  public static Share share(long count, long of) {
    if (of == 0) {
      return new Share(0, 0, 0, 1);
    }
    double p = count / (double) of;
    double z2 = Z * Z / of;
    double middle = (p + z2 / 2) / (1 + z2);
    double half = Z / (1 + z2) * Math.sqrt(p * (1 - p) / of + z2 / (4 * of));
    return new Share(
        (int) count,
        (int) of,
        Math.min(p, Math.max(0, middle - half)),
        Math.max(p, Math.min(1, middle + half)));
  }
}
