package org.terrace.studies.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.terrace.core.RequestIdentity;
import org.terrace.studies.probes.ProbeRows;
import org.terrace.studies.services.EffectsOfRun;
import org.terrace.studies.services.FaultedCall;
import org.terrace.studies.services.ProbeFile;
import org.terrace.studies.services.StruckService.Strike;

/** Steps that nobody ran: calls of one client, of which each fault delays one by a given time. */
final class MadeUpSteps {
  private static final long MILLI = 1_000_000;
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long INTERVAL = 20_000 * MILLI;
  private static final int CALLS_BETWEEN = 50;
  private static final long USUAL = MILLI;
  private static final long SLOWEST_OTHER = 2 * MILLI;
  private static final long RESTORED_MILLIS = 400;
  private static final EffectsOfRun EXACT = new EffectsOfRun(100, 0, 0, 0, true);

  private MadeUpSteps() {}

  /** The parts of a delayed call's time; what is left to 1 is all else. */
  record Parts(
      double detect, double naming, double waiting, double connect, double restore, double reply) {
    /** As the paper's chart has it: waiting, then restoration, then little. */
    static Parts published() {
      return new Parts(0.005, 0.01, 0.85, 0.01, 0.1, 0.02);
    }

    /** Without any waiting. */
    static Parts fast() {
      return new Parts(0.2, 0.1, 0, 0.2, 0.4, 0.09);
    }
  }

  /** All steps of the study, of delays that agree with every claim. */
  static Map<String, StepResult> agreeing() {
    return withDelays(5_800, 1_000, 500, 100, 20, 8, 4);
  }

  /** The same, of these delays with no to all six improvements. */
  static Map<String, StepResult> withDelays(double... delays) {
    Map<String, StepResult> steps = new TreeMap<>();
    for (int on = 0; on < delays.length; on++) {
      String name = "improvements-" + on;
      Parts parts = on == 0 ? Parts.published() : Parts.fast();
      steps.put(name, step(name, parts, times(6, delays[on])));
    }
    steps.put("spare", step("spare", Parts.fast(), times(6, 4)));
    for (String each : List.of("hang", "cut", "updates-hang", "updates-cut")) {
      steps.put(each, step(each, Parts.fast(), times(6, 9)));
    }
    steps.put("updates", step("updates", Parts.fast(), times(20, 4)));
    steps.put("active", step("active", Parts.fast(), times(20, 1)));
    return steps;
  }

  /** So many delays of one length, and then these. */
  static double[] times(int count, double delay, double... more) {
    double[] all = new double[count + more.length];
    Arrays.fill(all, delay);
    System.arraycopy(more, 0, all, count, more.length);
    return all;
  }

  /** A step in which each fault delays one call by so many milliseconds. */
  static StepResult step(String name, Parts parts, double... delaysMillis) {
    List<Long> starts = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    List<FaultedCall> faulted = new ArrayList<>();
    List<Strike> strikes = new ArrayList<>();
    for (int fault = 0; fault < delaysMillis.length; fault++) {
      long begin = START + (fault + 1) * INTERVAL;
      for (int call = CALLS_BETWEEN; call > 0; call--) {
        starts.add(begin - call * 100L * MILLI);
        lengths.add(call == CALLS_BETWEEN ? SLOWEST_OTHER : USUAL);
      }
      long delay = (long) (delaysMillis[fault] * MILLI);
      strikes.add(new Strike(begin, OptionalLong.of(RESTORED_MILLIS * MILLI)));
      starts.add(begin - 1_000);
      lengths.add(delay);
      faulted.add(
          new FaultedCall(
              begin - 1_000,
              delay,
              (long) (parts.detect() * delay),
              (long) (parts.naming() * delay),
              (long) (parts.waiting() * delay),
              (long) (parts.connect() * delay),
              (long) (parts.restore() * delay),
              (long) (parts.reply() * delay)));
    }
    return new StepResult(describe(name), probes(starts, lengths), faulted, strikes, 0, EXACT);
  }

  private static ProbeFile probes(List<Long> starts, List<Long> lengths) {
    List<RequestIdentity> identities = new ArrayList<>();
    List<String> methods = new ArrayList<>();
    long[] from = new long[starts.size()];
    long[] to = new long[starts.size()];
    for (int row = 0; row < from.length; row++) {
      identities.add(new RequestIdentity(1, row + 1L));
      methods.add("list");
      from[row] = starts.get(row);
      to[row] = starts.get(row) + lengths.get(row);
    }
    return new ProbeFile(new ProbeRows(identities, from, to), methods);
  }

  private static Step describe(String name) {
    return new Step(
        name,
        name,
        6,
        "warm-passive",
        Step.Calls.UPDATES,
        Fault.CRASH,
        3,
        Duration.ofNanos(INTERVAL),
        0);
  }

  /** Calls that no fault met. */
  static StepResult withoutFaults(String name) {
    StepResult step = step(name, Parts.fast(), 1);
    return new StepResult(step.step(), step.probes(), List.of(), List.of(), 0, EXACT);
  }

  /** Faults that no call met. */
  static StepResult withoutCalls(String name) {
    StepResult step = step(name, Parts.fast(), times(6, 1));
    EffectsOfRun none = new EffectsOfRun(0, 0, 0, 0, true);
    return new StepResult(
        step.step(), probes(List.of(), List.of()), List.of(), step.faults(), 0, none);
  }

  /** The step with redundancy back after so many milliseconds. */
  static StepResult restored(StepResult step, long millis) {
    return withStrikes(
        step,
        step.faults().stream()
            .map(fault -> new Strike(fault.atNanos(), OptionalLong.of(millis * MILLI)))
            .toList());
  }

  /** The step with the redundancy of the last fault not back. */
  static StepResult unrepaired(StepResult step) {
    List<Strike> strikes = new ArrayList<>(step.faults());
    strikes.add(new Strike(strikes.removeLast().atNanos(), OptionalLong.empty()));
    return withStrikes(step, strikes);
  }

  /** The step with the redundancy of no fault back. */
  static StepResult neverRepaired(StepResult step) {
    return withStrikes(
        step,
        step.faults().stream()
            .map(fault -> new Strike(fault.atNanos(), OptionalLong.empty()))
            .toList());
  }

  private static StepResult withStrikes(StepResult step, List<Strike> strikes) {
    return new StepResult(
        step.step(), step.probes(), step.faulted(), strikes, step.unanswered(), step.effects());
  }

  /** The step with calls that came to no reply. */
  static StepResult unanswered(StepResult step, int calls) {
    return new StepResult(
        step.step(), step.probes(), step.faulted(), step.faults(), calls, step.effects());
  }

  /** The step with what its clients were told, held against the database. */
  static StepResult withEffects(StepResult step, EffectsOfRun effects) {
    return new StepResult(
        step.step(), step.probes(), step.faulted(), step.faults(), step.unanswered(), effects);
  }

  /** The step with each call so much longer that no fault met. */
  static StepResult withSlowOthers(StepResult step, long millis) {
    List<Long> starts = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    for (int row = 0; row < step.probes().rows().size(); row++) {
      int at = row;
      boolean met = Arrays.stream(step.worstRows()).anyMatch(worst -> worst == at);
      starts.add(step.probes().rows().startNanos()[row]);
      lengths.add(met ? step.length(row) : millis * MILLI);
    }
    return new StepResult(
        step.step(),
        probes(starts, lengths),
        step.faulted(),
        step.faults(),
        step.unanswered(),
        step.effects());
  }
}
