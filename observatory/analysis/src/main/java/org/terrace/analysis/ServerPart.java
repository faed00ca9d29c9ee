package org.terrace.analysis;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.AnalyzedServer.Congestion;
import org.terrace.analysis.AnalyzedServer.Figures;
import org.terrace.analysis.congestion.WindowChoice;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.core.Strata;

/**
 * The analysis of one server without its requests and its cells: everything from which {@link
 * SeparateAnalysis#join} makes the findings of an observation, whichever window length the servers
 * agree on. A few kilobytes and what its stalls and congested stretches take. Immutable; its
 * serialized form is for programs of one version.
 */
public final class ServerPart implements Serializable {
  private final Kept kept;

  /**
   * Keeps what is needed of an analysis.
   *
   * @param windowMillis the window length if it is given; else all lengths are kept
   */
  ServerPart(ServerAnalysis analysis, @Nullable Integer windowMillis) {
    Map<Integer, AtWindow> windows = new LinkedHashMap<>();
    for (int millis : windowMillis == null ? WindowLengths.MILLIS : List.of(windowMillis)) {
      windows.put(
          millis, new AtWindow(analysis.congestionPoint(millis), analysis.congestions(millis)));
    }
    kept =
        new Kept(
            analysis.figures(),
            List.copyOf(analysis.stalls()),
            analysis.held(),
            analysis.demand(),
            analysis.vote(),
            windows);
  }

  /** The server's name. */
  public String server() {
    return kept.figures.server();
  }

  /** Whether it stalled, or was congested at any window length that was kept. */
  public boolean isDisturbed() {
    return !kept.stalls.isEmpty()
        || kept.windows.values().stream().anyMatch(at -> !at.congestions.isEmpty());
  }

  /** The server as others need to know it. */
  AnalyzedServer analyzed() {
    return kept;
  }

  /** The part of an analysis that depends on the window length. */
  private record AtWindow(CongestionPoint point, List<Congestion> congestions)
      implements Serializable {}

  /** The values that were kept. */
  record Kept(
      Figures figures,
      List<DetectedStall> stalls,
      List<List<String>> held,
      Strata demand,
      WindowChoice.Vote vote,
      Map<Integer, AtWindow> windows)
      implements AnalyzedServer, Serializable {

    @Override
    public List<Congestion> congestions(int millis) {
      return at(millis).congestions();
    }

    @Override
    public CongestionPoint congestionPoint(int millis) {
      return at(millis).point();
    }

    private AtWindow at(int millis) {
      AtWindow at = windows.get(millis);
      if (at == null) {
        throw new IllegalArgumentException(
            figures.server()
                + " was analysed at "
                + windows.keySet()
                + " ms, not at "
                + millis
                + " ms");
      }
      return at;
    }
  }
}
