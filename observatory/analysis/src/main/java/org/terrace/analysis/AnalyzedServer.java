package org.terrace.analysis;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.PooledEvents;
import org.terrace.core.Strata;

/**
 * A server that was analysed by itself, as its observation's other servers need to know it: with
 * its cells at hand, or with what was kept of them ({@link ServerPart}).
 */
sealed interface AnalyzedServer permits ServerAnalysis, ServerPart.Kept {
  /** The figures that depend on no window length. */
  Figures figures();

  /** Its stalls in order of time, without causes. */
  List<DetectedStall> stalls();

  /** Of each stall, the called servers that may have held it up. */
  List<List<String>> held();

  /** The times of equal demand: seconds by the requests that came in them. */
  Strata demand();

  /** The window lengths that satisfy it. */
  WindowChoice.Vote vote();

  /** The stretches in which it was congested, in order of time. */
  List<Congestion> congestions(int millis);

  /** Its congestion point at a window length. */
  CongestionPoint congestionPoint(int millis);

  /**
   * The figures of a server that depend on no window length.
   *
   * @param requests its requests, in the analysed stretch or not
   * @param perSecond its answers a second in the stretch
   * @param shortestStallMillis the shortest stall that could be told; null where none could
   * @param lostMillis the time of which nothing is known
   */
  record Figures(
      String server,
      int requests,
      double perSecond,
      Findings.Latency residenceMicros,
      @Nullable Double shortestStallMillis,
      List<PooledEvents> pooled,
      double lostMillis)
      implements Serializable {}

  /**
   * A stretch in which a server was congested, before its causes are known.
   *
   * @param beyond whether load was beyond N*; else it was slow
   * @param ofUsual its answers as a part of those usual at its load
   * @param waitedFor the called server that held it up; null if none did
   */
  record Congestion(
      long startNanos,
      long endNanos,
      boolean beyond,
      double peakLoad,
      double ofUsual,
      @Nullable String waitedFor)
      implements Serializable {
    /** The same as a stall whose causes are to be found. */
    DetectedStall span() {
      return new DetectedStall(
          startNanos, endNanos, (int) Math.ceil(peakLoad), 0, Findings.Behaviour.WAITED, null);
    }
  }
}
