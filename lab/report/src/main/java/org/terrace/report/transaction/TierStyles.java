package org.terrace.report.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.analysis.finding.TransactionProfile.TierTime;

/** The colours of tiers, the same wherever a page tells them apart. Immutable. */
public final class TierStyles {
  private static final List<String> STYLES =
      List.of("load", "throughput", "intended", "collection", "resource", "fault");

  private final List<String> tiers = new ArrayList<>();
  private final Map<String, String> tierOf = new HashMap<>();

  public TierStyles(Findings findings) {
    Findings.Transactions found = findings.transactions();
    List<String> timed =
        Stream.concat(
                found.tiers().stream(),
                found.profiles().stream().flatMap(each -> each.tiers().stream()))
            .map(TierTime::tier)
            .distinct()
            .toList();
    for (ServerFindings server : findings.servers()) {
      // A server of which no tier is known is timed by its own name.
      String tier = timed.contains(server.tier()) ? server.tier() : server.name();
      tierOf.put(server.name(), tier);
      if (timed.contains(tier) && !tiers.contains(tier)) {
        tiers.add(tier);
      }
    }
    timed.stream().filter(tier -> !tiers.contains(tier)).forEach(tiers::add);
  }

  /** The tiers in which time was spent, from the users to the database. */
  public List<String> tiers() {
    return tiers;
  }

  public String ofTier(String tier) {
    return STYLES.get(Math.max(0, tiers.indexOf(tier)) % STYLES.size());
  }

  public String ofServer(String server) {
    return ofTier(tierOf.getOrDefault(server, server));
  }
}
