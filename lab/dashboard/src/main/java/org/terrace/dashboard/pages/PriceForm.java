package org.terrace.dashboard.pages;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.http.PageRequest;
import org.terrace.report.page.Markup;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;

/**
 * The prices of a mesh as sliders: of servers, and of requests their threshold, revenue and
 * penalty. A slider goes from nothing to four times what the file of prices says; the number beside
 * it may be anything. Stateless.
 */
public final class PriceForm {
  private static final String SERVER = "server.";
  private static final String WITHIN = "within.";
  private static final String REVENUE = "revenue.";
  private static final String PENALTY = "penalty.";
  private static final String OTHERS = "others";
  private static final double REACH = 4;
  private static final int STEPS = 80;
  private static final double LARGEST = 1e12;
  private static final MathContext SHORT = new MathContext(3);

  private PriceForm() {}

  /**
   * The prices that a request asks for: those of the file, but for what it names.
   *
   * @throws TerraceException if a value is no amount
   */
  public static Prices changed(Prices prices, PageRequest request) {
    Map<String, Double> servers = new LinkedHashMap<>();
    prices
        .serverHour()
        .forEach((type, price) -> servers.put(type, value(request, SERVER + type, price)));
    Map<String, Terms> classes = new LinkedHashMap<>();
    prices
        .classes()
        .forEach((name, terms) -> classes.put(name, terms(request, "class-" + name, terms)));
    Terms others = prices.others();
    return new Prices(
        prices.currency(),
        servers,
        classes,
        others == null ? null : terms(request, OTHERS, others),
        prices.day(),
        prices.serverStart());
  }

  private static Terms terms(PageRequest request, String name, Terms terms) {
    double within = value(request, WITHIN + name, terms.thresholdMillis());
    if (within <= 0) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "a threshold is 0 ms; expected above 0");
    }
    return new Terms(
        within,
        value(request, REVENUE + name, terms.revenue()),
        value(request, PENALTY + name, terms.penalty()));
  }

  private static double value(PageRequest request, String name, double otherwise) {
    String text = request.parameter(name).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && value <= LARGEST) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, as a number beyond all bounds is.
      assert e != null;
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT, "'" + text + "' is no amount, expected a number such as 0.05");
  }

  /**
   * The form.
   *
   * @param base the prices of the file, around which the sliders reach
   * @param now the prices that they show
   */
  static void write(Prices base, Prices now, String action, Markup page) {
    page.open("form", "method", "get", "action", action, "id", "prices");
    page.empty("input", "type", "hidden", "name", "view", "value", "plan");
    page.open("fieldset").leaf("legend", "A server for an hour, in " + now.currency());
    base.serverHour()
        .forEach((type, price) ->
            slider(
                SERVER + type, type, price, now.serverHour().getOrDefault(type, price), 1, page));
    page.close();
    base.classes()
        .forEach((name, terms) ->
            terms(
                "class-" + name,
                "Requests " + name,
                terms,
                now.classes().getOrDefault(name, terms),
                page));
    Terms others = base.others();
    Terms othersNow = now.others();
    if (others != null) {
      terms(
          OTHERS,
          base.classes().isEmpty() ? "Requests" : "Other requests",
          others,
          othersNow == null ? others : othersNow,
          page);
    }
    page.open("p", "class", "actions")
        .leaf("button", "Work it out", "type", "submit", "class", "apply");
    page.leaf("a", "As the file says", "href", action + "?view=plan", "class", "button");
    page.leaf("output", "", "id", "worked-out", "for", "prices", "class", "muted").close();
    page.close();
  }

  private static void terms(String name, String title, Terms base, Terms now, Markup page) {
    page.open("fieldset").leaf("legend", title);
    slider(WITHIN + name, "Within, ms", base.thresholdMillis(), now.thresholdMillis(), 1_000, page);
    slider(REVENUE + name, "Earn each", base.revenue(), now.revenue(), 0.001, page);
    slider(PENALTY + name, "Else lose", base.penalty(), now.penalty(), 0.001, page);
    page.close();
  }

  /** A slider and its number; where the file says nothing, it reaches to four of the usual. */
  private static void slider(
      String name, String label, double base, double now, double usual, Markup page) {
    double reach = REACH * (base > 0 ? base : usual);
    boolean threshold = name.startsWith(WITHIN);
    String step = text(reach / STEPS);
    page.open("div", "class", "slider");
    page.leaf("label", label, "for", "n-" + name);
    page.empty(
        "input",
        "type",
        "range",
        "min",
        threshold ? step : "0",
        "max",
        text(Math.max(reach, now)),
        "step",
        step,
        "value",
        text(now),
        "data-for",
        "n-" + name,
        "aria-label",
        label);
    page.empty(
        "input",
        "type",
        "number",
        "id",
        "n-" + name,
        "name",
        name,
        "min",
        "0",
        "step",
        "any",
        "value",
        exact(now));
    page.close();
  }

  /** An amount as the form sends it back: what nobody moved stays what it was. */
  private static String exact(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** An amount for a slider, whose steps are coarse. */
  private static String text(double value) {
    return new BigDecimal(value).round(SHORT).stripTrailingZeros().toPlainString();
  }
}
