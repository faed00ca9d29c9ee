package org.terrace.benchmarks.collections;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;

/**
 * The running account of the benchmark: the number of the subject, time taken, time left, and the
 * main figures of each subject. Confined to one thread.
 */
final class Progress {
  private static final String INDENT = "    ";

  /**
   * One run of one subject.
   *
   * @param subject what is measured
   * @param number its place among the subjects of a run, from 1
   * @param run the run, from 1
   * @param expectedSeconds about how long it takes, on two cores
   */
  record Step(Subject subject, int number, int run, double expectedSeconds) {}

  private final PrintStream out;
  private final TimeSource time;
  private final List<Step> plan;
  private final long startNanos;
  private int begun;
  private long stepNanos;
  private long partNanos;

  Progress(PrintStream out, TimeSource time, List<Step> plan) {
    this.out = out;
    this.time = time;
    this.plan = List.copyOf(plan);
    this.startNanos = time.elapsedNanos();
  }

  /** All that will be measured, in order. */
  List<Step> plan() {
    return plan;
  }

  /** The next step begins. */
  void begin() {
    Step step = plan.get(begun);
    stepNanos = time.elapsedNanos();
    out.printf(
        "[%d of %d, run %d of %d] %s, acknowledged by %s; %s elapsed, about %s left%n%s",
        step.number,
        plan.stream().mapToInt(Step::number).max().orElse(0),
        step.run,
        plan.getLast().run,
        step.subject,
        step.subject.level(),
        duration(seconds(startNanos)),
        duration(secondsLeft()),
        INDENT);
    out.flush();
    begun++;
  }

  boolean isLaterThan(Duration elapsed) {
    return time.elapsedNanos() - startNanos > elapsed.toNanos();
  }

  /** The next step is left out for want of time. */
  void leaveOut() {
    Step step = plan.get(begun++);
    out.printf(
        "%s, acknowledged by %s: no run %d, since %s have elapsed%n",
        step.subject, step.subject.level(), step.run, elapsed());
  }

  /** The time that the rest of the plan takes, at the pace of what is done. */
  private double secondsLeft() {
    double done = plan.subList(0, begun).stream().mapToDouble(Step::expectedSeconds).sum();
    double left =
        plan.subList(begun, plan.size()).stream().mapToDouble(Step::expectedSeconds).sum();
    return done == 0 ? left : left * seconds(startNanos) / done;
  }

  void begin(Part part) {
    partNanos = time.elapsedNanos();
    out.print(name(part) + " ");
    out.flush();
  }

  void end() {
    out.printf("%.0f s, ", seconds(partNanos));
    out.flush();
  }

  void skip(Part part, String reason) {
    out.printf(
        "%n%s%s skipped after %.0f s: %s%n%s",
        INDENT, name(part), seconds(partNanos), reason, INDENT);
    out.flush();
  }

  /** The step is over. */
  void end(Results results) {
    out.printf(
        "%s in all%n%sput p50 %s us, p99 %s us; 1,024 clients %s/s, p99 %s us, unthinking %s/s; lost %s%n",
        duration(seconds(stepNanos)),
        INDENT,
        figure(results.ofThisRun("put-p50")),
        figure(results.ofThisRun("put-p99")),
        figure(results.ofThisRun("mix-throughput")),
        figure(results.ofThisRun("mix-p99")),
        figure(results.ofThisRun("mix-saturated-throughput")),
        figure(results.ofThisRun("crash-lost")));
    out.flush();
  }

  /** The time so far, for people. */
  String elapsed() {
    return duration(seconds(startNanos));
  }

  private double seconds(long sinceNanos) {
    return (time.elapsedNanos() - sinceNanos) / 1e9;
  }

  private static String name(Part part) {
    return part.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String figure(@Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%,.0f", value);
  }

  /** Seconds up to two minutes, then minutes. */
  static String duration(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%.0f min", seconds / 60);
  }
}
