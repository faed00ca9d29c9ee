package org.terrace.control.manager;

import org.jspecify.annotations.Nullable;
import org.terrace.control.naming.Registration;

/**
 * A manager's knowledge of one name: the newest value it has heard of, and the version that the
 * naming service holds.
 *
 * <p>The two differ when the naming service has forgotten: it lost its disks, or was given an
 * earlier copy of them. Then what is known is put back, under a version above all that anybody can
 * have heard of: clients and replicas take nothing else. The first version of a name, and of one
 * that is put back into an empty naming service, begins with the milliseconds of the wall clock,
 * which no series of changes outruns. Confined to its {@link ManagerCore}.
 */
final class KnownName {
  /** The period in which a leader asks whether the naming service still holds what it should. */
  private static final long CHECK_NANOS = 2_000_000_000;

  private @Nullable Registration newest;
  private long held;
  private long series;
  private long checkAtNanos;
  private boolean checking;

  @Nullable Registration newest() {
    return newest;
  }

  /** The epoch of the newest value, 0 if none is known. */
  long epoch() {
    return newest == null ? 0 : newest.reference().epoch();
  }

  /** The version that the naming service holds as far as is known, 0 for none. */
  long held() {
    return held;
  }

  /** Takes note of a value that was told, or given as an answer; whether it is news. */
  boolean heard(Registration value, boolean isAnswer) {
    boolean isNews = newest == null || newest.version() < value.version();
    if (isNews) {
      newest = value;
    }
    if (isNews || isAnswer) {
      held = value.version();
    }
    checking &= !isAnswer;
    return isNews;
  }

  /**
   * The naming service holds nothing under the name.
   *
   * @param firstVersion the number that a series of versions may begin with now
   */
  void absent(long firstVersion) {
    held = 0;
    series = firstVersion;
    checking = false;
  }

  /** Whether the naming service holds an earlier value than the newest known, or none. */
  boolean isForgotten() {
    return newest != null && held < newest.version();
  }

  /** The version of the next change. */
  long nextVersion() {
    long known = newest == null ? 0 : newest.version();
    return (held == 0 ? Math.max(known, series) : known) + 1;
  }

  /** Whether it is time to ask what the naming service holds; then the next time is later. */
  boolean isCheckDue(long nowNanos) {
    boolean due = nowNanos >= checkAtNanos;
    if (due) {
      checkAtNanos = nowNanos + CHECK_NANOS;
      checking = true;
    }
    return due;
  }

  /**
   * Whether the question that got no answer was the check alone, after which nothing is in doubt.
   */
  boolean endsCheck() {
    boolean was = checking;
    checking = false;
    return was;
  }
}
