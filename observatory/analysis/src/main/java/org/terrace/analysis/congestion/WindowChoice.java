package org.terrace.analysis.congestion;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Chooses the window length: the shortest that, on every server whose N* can be told,
 *
 * <ul>
 *   <li>(a) lies on the plateau: the longest run of neighbouring lengths whose estimates of N*
 *       differ by at most {@value #PLATEAU_RATIO} from each other. Windows that are too long
 *       average congestion away and pull N* down; windows that are too short scatter, so where no
 *       length of that run satisfies (b) and (c), the next longest of two lengths and more is
 *       taken;
 *   <li>(b) holds enough completions at capacity for a relative error of {@value #RELATIVE_ERROR}:
 *       {@code (1 + CV^2) / 0.2^2}, with CV the coefficient of variation of the service time;
 *   <li>(c) is at most a third of the median congested episode, so that episodes are seen at all.
 *       An episode is a run of short windows above N*; the median is taken over congested time,
 *       since brief crossings are many.
 * </ul>
 *
 * <p>Where no length satisfies every server, the one that satisfies most is taken. Where none
 * satisfies any, (c) is given up: lengths are steps of a factor of two and more, and a server may
 * need one that is between two of them. Where still none does, none is taken. Wang et al. (2013)
 * left this choice to further research.
 */
public final class WindowChoice {
  static final double PLATEAU_RATIO = 1.15;
  static final double RELATIVE_ERROR = 0.2;
  static final int WINDOWS_PER_EPISODE = 3;

  private WindowChoice() {}

  /**
   * A server as the rule needs to know it.
   *
   * @param fits its fits at every window length, shortest first
   * @param squaredVariation the squared coefficient of variation of its service time
   * @param fineLoad its load in short windows
   * @param fineMillis the length of those windows
   */
  public record Candidate(
      List<CongestionFit> fits, double squaredVariation, double[] fineLoad, int fineMillis) {}

  /**
   * The lengths that satisfy one server, which is all that the rule needs of it in the end.
   *
   * @param withinEpisodes those that satisfy (a), (b) and (c), in milliseconds
   * @param any those that satisfy (a) and (b)
   */
  public record Vote(List<Integer> withinEpisodes, List<Integer> any) implements Serializable {
    /** Copies the lists. */
    public Vote {
      withinEpisodes = List.copyOf(withinEpisodes);
      any = List.copyOf(any);
    }
  }

  /** The vote of one server. */
  public static Vote vote(Candidate server) {
    return new Vote(allowed(server, true), allowed(server, false));
  }

  /** The chosen length in milliseconds; zero when the rule cannot decide. */
  public static int choose(List<Vote> servers) {
    int chosen = most(servers.stream().map(Vote::withinEpisodes).toList());
    return chosen > 0 ? chosen : most(servers.stream().map(Vote::any).toList());
  }

  /** The shortest of the lengths that most servers name. */
  private static int most(List<List<Integer>> servers) {
    NavigableMap<Integer, Integer> satisfied = new TreeMap<>();
    for (List<Integer> server : servers) {
      for (int millis : server) {
        satisfied.merge(millis, 1, Integer::sum);
      }
    }
    int best = 0;
    int most = 0;
    for (Map.Entry<Integer, Integer> each : satisfied.entrySet()) {
      if (each.getValue() > most) {
        best = each.getKey();
        most = each.getValue();
      }
    }
    return best;
  }

  /** The lengths that satisfy one server: of the longest plateau that has such lengths. */
  private static List<Integer> allowed(Candidate server, boolean withinEpisodes) {
    double needed = (1 + server.squaredVariation()) / (RELATIVE_ERROR * RELATIVE_ERROR);
    for (List<CongestionFit> plateau : plateaus(server.fits())) {
      List<Integer> allowed = new ArrayList<>();
      for (CongestionFit fit : plateau) {
        boolean enough = fit.capacity() * fit.millis() / 1e3 >= needed;
        if (enough && (!withinEpisodes || fitsIntoEpisodes(server, fit))) {
          allowed.add(fit.millis());
        }
      }
      if (!allowed.isEmpty()) {
        return allowed;
      }
    }
    return List.of();
  }

  private static boolean fitsIntoEpisodes(Candidate server, CongestionFit fit) {
    return fit.millis() * WINDOWS_PER_EPISODE
        <= medianEpisodeMillis(server.fineLoad(), server.fineMillis(), fit.knee());
  }

  /**
   * The longest run of neighbouring identifiable fits that agree; the first of equally long ones.
   */
  public static List<CongestionFit> plateau(List<CongestionFit> fits) {
    return plateaus(fits).stream().findFirst().orElse(List.of());
  }

  /** Runs of fits that agree, the longest first; one fit alone agrees with nobody, if others do. */
  private static List<List<CongestionFit>> plateaus(List<CongestionFit> fits) {
    List<List<CongestionFit>> runs = new ArrayList<>();
    int last = 0;
    for (int from = 0; from < fits.size(); from++) {
      int to = endOfAgreement(fits, from);
      if (to > Math.max(from, last)) {
        runs.add(fits.subList(from, to));
        last = to;
      }
    }
    runs.sort(Comparator.comparingInt(run -> -run.size()));
    List<List<CongestionFit>> several = runs.stream().filter(run -> run.size() > 1).toList();
    return several.isEmpty() ? runs.stream().limit(1).toList() : several;
  }

  private static int endOfAgreement(List<CongestionFit> fits, int from) {
    double lowest = Double.POSITIVE_INFINITY;
    double highest = 0;
    int to = from;
    while (to < fits.size() && fits.get(to).identifiable()) {
      lowest = Math.min(lowest, fits.get(to).knee());
      highest = Math.max(highest, fits.get(to).knee());
      if (highest > lowest * PLATEAU_RATIO) {
        break;
      }
      to++;
    }
    return to;
  }

  /** The length of the episode in which the median moment above a load lies. */
  static double medianEpisodeMillis(double[] load, int millis, double limit) {
    int[] lengths = new int[load.length + 1];
    int episodes = 0;
    int run = 0;
    int total = 0;
    for (int i = 0; i <= load.length; i++) {
      if (i < load.length && load[i] > limit) {
        run++;
      } else if (run > 0) {
        lengths[episodes++] = run;
        total += run;
        run = 0;
      }
    }
    Arrays.sort(lengths, 0, episodes);
    int seen = 0;
    for (int i = 0; i < episodes; i++) {
      seen += lengths[i];
      if (2 * seen >= total) {
        return (double) lengths[i] * millis;
      }
    }
    return 0;
  }
}
