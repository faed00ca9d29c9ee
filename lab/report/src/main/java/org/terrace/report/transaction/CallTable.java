package org.terrace.report.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.analysis.finding.TransactionProfile.CallNode;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The aggregated call tree of a class of transactions, as a table that is indented. */
public final class CallTable {
  /** Levels that are indented; deeper ones are as far in as the last. */
  public static final int LEVELS = 8;

  /** Characters of a class that are shown. */
  private static final int NAME_MAX = 88;

  /** Characters of its end, where it is longer. */
  private static final int NAME_END = 24;

  private CallTable() {}

  public static void write(TransactionProfile profile, Markup page) {
    page.leaf(
        "h3",
        "Calls of "
            + Quantity.count(profile.complete(), "complete transaction")
            + " laid over one another",
        "class",
        "minor");
    Tables.open(
        page, "Waited for", "Call", "#A transaction", "#In", "#Mean", "#Self-time a transaction");
    List<Integer> depths = new ArrayList<>();
    for (CallNode node : profile.calls()) {
      int depth = node.parent() < 0 ? 0 : depths.get(node.parent()) + 1;
      depths.add(depth);
      page.open("tr").open("td", "class", "bar");
      page.leaf("meter", "", "min", "0", "max", "1", "value", String.valueOf(node.criticalShare()));
      page.text(" " + Quantity.percent(node.criticalShare())).close();
      page.open("td", "class", "call " + indent(depth));
      page.leaf("b", servers(node.servers())).text(" ");
      named(node.requestClass().isEmpty() ? "other calls" : node.requestClass(), page);
      page.close();
      Tables.number(page, calls(node.callsPerTransaction()));
      Tables.number(page, Quantity.percent(node.presence()));
      Tables.number(page, Quantity.micros(node.residenceMicros()));
      Tables.number(page, Quantity.micros(node.selfMicros()));
      page.close();
    }
    Tables.close(page);
    if (profile.callsLeftOut() > 0) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(profile.callsLeftOut(), "kind")
              + " of calls with less time left out.",
          "class",
          "note");
    }
  }

  /** A class of requests, a long one without its middle, which the pointer shows. */
  public static void named(String requestClass, Markup page) {
    if (requestClass.length() <= NAME_MAX) {
      page.leaf("code", requestClass);
      return;
    }
    String name =
        requestClass.substring(0, NAME_MAX - NAME_END)
            + " … "
            + requestClass.substring(requestClass.length() - NAME_END);
    page.leaf("code", name, "title", requestClass);
  }

  private static String calls(double perTransaction) {
    return perTransaction == 1 ? "1" : String.format(Locale.ROOT, "%,.2f", perTransaction);
  }

  public static String indent(int depth) {
    return "in-" + Math.min(LEVELS, depth);
  }

  /** Some names, or the first of many and how many more. */
  private static String servers(List<String> servers) {
    return servers.size() <= 3
        ? String.join(", ", servers)
        : servers.getFirst() + " and " + (servers.size() - 1) + " more";
  }
}
