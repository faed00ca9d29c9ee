package org.terrace.analysis.experience;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.SlowStretch;
import org.terrace.analysis.finding.StallEpisode;
import org.terrace.analysis.finding.UserExperience;

/** The users' experience from what was found: a pure function, with its words. Stateless. */
public final class UserExperiences {
  private UserExperiences() {}

  /**
   * The experience of the users of an analysed observation.
   *
   * @param findings the findings, with the servers and the clients
   * @param episodes the episodes of the servers' stalls, in the order of the findings
   * @param seconds the clients' view over time; null when nobody watched from their side
   * @param originNanos the start of the analysed stretch, from which the sentence counts seconds
   */
  public static UserExperience of(
      Findings findings,
      List<StallEpisode> episodes,
      @Nullable ClientSeconds seconds,
      long originNanos) {
    Findings.Clients found = findings.clients();
    Double usual = seconds == null ? null : SlowStretches.usual(seconds);
    if (seconds == null || found == null || usual == null) {
      return new UserExperience(null, List.of(), failuresOrFront(findings));
    }
    List<SlowStretch> slow = SlowStretches.of(seconds, usual, findings.servers(), episodes);
    SlowStretch worst =
        slow.stream().max(Comparator.comparingDouble(SlowStretch::excessMicros)).orElse(null);
    String first =
        worst == null
            ? String.format(
                Locale.ROOT,
                "Users were served evenly: half of their pages within %s, 99 of 100 within %s.",
                duration(found.latencyMicros().p50()),
                duration(found.latencyMicros().p99()))
            : String.format(
                Locale.ROOT,
                "For %.0f s from %+.0f s, %s; %s.%s",
                worst.seconds(),
                (worst.startNanos() - originNanos) / 1e9,
                felt(worst, usual),
                meanwhile(worst, episodes, findings.servers()),
                more(slow.size() - 1));
    return new UserExperience(usual, slow, first + failures(found));
  }

  private static String felt(SlowStretch worst, double usual) {
    if (worst.worstP99Micros() <= usual) {
      return "hardly any page was answered";
    }
    return String.format(
        Locale.ROOT,
        "one page in 100 took %s or longer instead of the usual %s%s",
        duration(worst.worstP99Micros()),
        duration(usual),
        worst.heldUpSeconds() == 0
            ? ""
            : ", and for " + worst.heldUpSeconds() + " s hardly any was answered");
  }

  private static String more(int stretches) {
    return switch (stretches) {
      case 0 -> "";
      case 1 -> " Pages were slow in one more stretch, less badly.";
      default -> " Pages were slow in " + stretches + " more stretches, less badly.";
    };
  }

  /** The server that stood still longest while the users waited. */
  private static String meanwhile(
      SlowStretch slow, List<StallEpisode> episodes, List<ServerFindings> servers) {
    Integer place = slow.stallEpisode();
    if (place == null) {
      return servers.stream().anyMatch(each -> each.requests() > 0)
          ? "no server stalled meanwhile"
          : "the servers were not observed";
    }
    StallEpisode most = episodes.get(place);
    int stalls = most.stalls().size();
    StringBuilder text =
        new StringBuilder("meanwhile ")
            .append(most.server())
            .append(" stalled ")
            .append(times(stalls))
            .append(duration(most.stalledNanos() / 1e3))
            .append(stalls == 1 ? "" : " in all");
    if (!most.likely().isEmpty()) {
      text.append(", likely because of ").append(most.likely().getFirst().words());
    }
    return text.toString();
  }

  private static String times(int count) {
    return switch (count) {
      case 1 -> "for ";
      case 2 -> "twice, ";
      default -> count + " times, ";
    };
  }

  private static String failures(Findings.Clients found) {
    return found.errors() == 0
        ? ""
        : String.format(Locale.ROOT, " %,d of %,d pages failed.", found.errors(), found.requests());
  }

  private static String failuresOrFront(Findings findings) {
    Findings.Clients found = findings.clients();
    if (found != null) {
      return found.requests() == 0 ? "" : "No page was answered." + failures(found);
    }
    return findings.servers().stream()
        .filter(each -> each.tier().equals(findings.servers().getFirst().tier()))
        .max(Comparator.comparingLong(ServerFindings::requests))
        .filter(each -> each.requests() > 0)
        .map(UserExperiences::front)
        .orElse("");
  }

  private static String front(ServerFindings front) {
    return front.residenceMicros().hasValues()
        ? String.format(
            Locale.ROOT,
            "%s answered half of its requests within %s, 99 of 100 within %s.",
            front.name(),
            duration(front.residenceMicros().p50()),
            duration(front.residenceMicros().p99()))
        : String.format(
            Locale.ROOT, "%s answered none of its %,d requests.", front.name(), front.requests());
  }

  /** A length of time with two or three figures and its unit. */
  private static String duration(double micros) {
    if (micros < 1_000) {
      return String.format(Locale.ROOT, "%.0f µs", micros);
    }
    if (micros < 1_000_000) {
      return String.format(Locale.ROOT, micros < 10_000 ? "%.1f ms" : "%.0f ms", micros / 1e3);
    }
    return String.format(Locale.ROOT, "%.2f s", micros / 1e6);
  }
}
