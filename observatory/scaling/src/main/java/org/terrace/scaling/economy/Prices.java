package org.terrace.scaling.economy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The prices of servers and the terms of requests. Immutable.
 *
 * @param currency the currency's name, for people
 * @param serverHour the price of a server for an hour, by the type of its node
 * @param classes the terms of classes of requests, by name
 * @param others the terms of all other classes; null where all are named
 * @param day the load over a day, in order of time; empty where it is not asked for
 * @param serverStart what it costs to start a server when the configuration changes
 */
public record Prices(
    String currency,
    Map<String, Double> serverHour,
    Map<String, Terms> classes,
    @Nullable Terms others,
    List<DayLoad> day,
    double serverStart) {
  /** The name of the terms of all classes that have none of their own. */
  public static final String OTHERS = "others";

  /** The minutes of a day. */
  public static final int DAY_MINUTES = 24 * 60;

  /** Copies the maps in their order and checks the figures. */
  public Prices {
    serverHour = Collections.unmodifiableMap(new LinkedHashMap<>(serverHour));
    classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    day = List.copyOf(day);
    if (serverHour.values().stream().anyMatch(price -> !(price >= 0 && Double.isFinite(price)))
        || !(serverStart >= 0 && Double.isFinite(serverStart))) {
      throw new IllegalArgumentException("no price is below 0");
    }
    int before = -1;
    for (DayLoad each : day) {
      if (each.minute() <= before || each.minute() >= DAY_MINUTES) {
        throw new IllegalArgumentException("the times of a day rise from 00:00 to 23:59");
      }
      before = each.minute();
    }
  }

  /**
   * The load from a time of the day on, until that of the next entry.
   *
   * @param minute minutes since midnight
   * @param users the users then
   */
  public record DayLoad(int minute, int users) {
    /** Checks the load. */
    public DayLoad {
      if (minute < 0 || users < 0) {
        throw new IllegalArgumentException("neither time nor users are below 0");
      }
    }
  }

  /** The price of a configuration for an hour. */
  public double costPerHour(Configuration configuration) {
    double cost = 0;
    for (Map.Entry<String, Integer> nodes : configuration.nodes().entrySet()) {
      Double price = serverHour.get(nodes.getKey());
      if (price == null) {
        throw new IllegalArgumentException(
            "no price for a server of type '"
                + nodes.getKey()
                + "', which "
                + configuration.label()
                + " has; priced are "
                + serverHour.keySet());
      }
      cost += price * nodes.getValue();
    }
    return cost;
  }

  /** The terms of a class. */
  public Terms terms(String name) {
    Terms own = classes.get(name);
    Terms terms = own == null ? others : own;
    if (terms == null) {
      throw new IllegalArgumentException(
          "no terms for requests of class '" + name + "', and none for all others");
    }
    return terms;
  }

  /** The name of the terms that a class has: its own, or {@link #OTHERS}. */
  String termsName(String name) {
    return classes.containsKey(name) ? name : OTHERS;
  }

  /** The names of all terms. */
  List<String> termsNames() {
    List<String> names = new ArrayList<>(classes.keySet());
    if (others != null) {
      names.add(OTHERS);
    }
    return names;
  }

  /** The same prices with the terms of one name changed. */
  Prices withTermsOf(String name, UnaryOperator<Terms> change) {
    Map<String, Terms> changed = new LinkedHashMap<>(classes);
    changed.computeIfPresent(name, (_, terms) -> change.apply(terms));
    Terms rest = others;
    if (rest != null && name.equals(OTHERS)) {
      rest = change.apply(rest);
    }
    return new Prices(currency, serverHour, changed, rest, day, serverStart);
  }

  /** The same prices with the terms of all classes changed. */
  Prices withTerms(UnaryOperator<Terms> change) {
    Map<String, Terms> changed = new LinkedHashMap<>();
    classes.forEach((name, terms) -> changed.put(name, change.apply(terms)));
    return new Prices(
        currency,
        serverHour,
        changed,
        others == null ? null : change.apply(others),
        day,
        serverStart);
  }

  /** The same prices with that of a type of servers multiplied. */
  Prices withServerTimes(String type, double factor) {
    Map<String, Double> changed = new LinkedHashMap<>(serverHour);
    changed.computeIfPresent(type, (_, price) -> price * factor);
    return new Prices(currency, changed, classes, others, day, serverStart);
  }
}
