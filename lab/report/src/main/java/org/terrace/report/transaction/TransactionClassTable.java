package org.terrace.report.transaction;

import java.util.List;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The table of all classes of requests in transactions, whatever called them. */
public final class TransactionClassTable {
  private static final int ROWS_MAX = 40;

  private TransactionClassTable() {}

  /** Writes the table; nothing without classes. */
  public static void write(List<TransactionClass> classes, Markup page) {
    if (classes.isEmpty()) {
      return;
    }
    page.open("details").leaf("summary", "All classes of requests, whatever called them");
    Tables.open(page, "Waited for", "Server", "Class", "#Requests", "#Mean", "#Self-time");
    for (TransactionClass each : classes.subList(0, Math.min(ROWS_MAX, classes.size()))) {
      page.open("tr").open("td", "class", "bar");
      page.leaf("meter", "", "min", "0", "max", "1", "value", String.valueOf(each.criticalShare()));
      page.text(" " + Quantity.percent(each.criticalShare())).close();
      page.leaf("td", each.server());
      page.open("td").leaf("code", each.requestClass()).close();
      Tables.number(page, Quantity.count(each.requests()));
      Tables.number(page, Quantity.micros(each.residenceMicros()));
      Tables.number(page, Quantity.micros(each.selfMicros()));
      page.close();
    }
    Tables.close(page);
    if (classes.size() > ROWS_MAX) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(classes.size() - ROWS_MAX)
              + " classes with less time left out; findings.json lists more.",
          "class",
          "note");
    }
    page.close();
  }
}
