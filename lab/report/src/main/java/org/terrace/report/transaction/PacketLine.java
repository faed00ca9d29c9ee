package org.terrace.report.transaction;

import org.jspecify.annotations.Nullable;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The line that leads to packets: their numbers, and a filter of Wireshark to copy. */
public final class PacketLine {
  private PacketLine() {}

  /** Writes the line; nothing without a filter. */
  public static void write(
      @Nullable Long first, @Nullable Long last, @Nullable String filter, Markup page) {
    if (filter == null) {
      return;
    }
    page.open("p", "class", "filter");
    page.leaf(
        "span",
        first == null || last == null
            ? "In Wireshark"
            : "Packets " + range(first, last) + "; in Wireshark",
        "class",
        "muted");
    page.leaf("code", filter);
    page.leaf(
        "button",
        "copy",
        "type",
        "button",
        "class",
        "copy",
        "hidden",
        "",
        "aria-label",
        "Copy the filter");
    page.close();
  }

  /** {@code 12 to 40}, or {@code –} where packets have no numbers. */
  public static String range(@Nullable Long first, @Nullable Long last) {
    if (first == null || last == null) {
      return "–";
    }
    return first.equals(last)
        ? Quantity.count(first)
        : Quantity.count(first) + " to " + Quantity.count(last);
  }
}
