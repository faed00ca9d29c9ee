package org.terrace.report.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import org.terrace.scaling.economy.DayGain;
import org.terrace.scaling.economy.DayPlan;

/** The plan of a day as nodes of JSON. Stateless. */
final class DayNodes {
  private DayNodes() {}

  static Map<String, Object> of(DayPlan day) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("profitPerDay", day.profitPerDay());
    node.put("fixed", PlanFile.label(day.fixed()));
    node.put("fixedProfitPerDay", day.fixedProfitPerDay());
    node.put("gain", day.gain() == null ? null : gain(day.gain()));
    node.put("steps", day.steps().stream().map(DayNodes::step).toList());
    node.put("untold", day.untold().stream().map(DayNodes::untold).toList());
    node.put("leftOut", day.leftOut().stream().map(DayNodes::leftOut).toList());
    return node;
  }

  private static Map<String, Object> gain(DayGain of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("perDay", of.perDay());
    node.put("low", of.low());
    node.put("high", of.high());
    node.put("repeats", of.repeats());
    node.put("told", of.told());
    node.put("doubtful", of.doubtful());
    return node;
  }

  private static Map<String, Object> leftOut(DayPlan.LeftOut of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(PlanFile.CONFIGURATION, of.configuration().label());
    node.put(
        "reason",
        switch (of.reason()) {
          case NOT_MEASURED -> "not-measured";
          case FAILED -> "failed";
          case LESS_PROFITABLE -> "less-profitable";
        });
    node.put(PlanFile.USERS, of.users());
    node.put("mostUsers", of.mostUsers());
    return node;
  }

  private static Map<String, Object> untold(DayPlan.Untold of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("at", PlanWords.time(of.minute()));
    node.put("minutes", of.minutes());
    node.put(PlanFile.USERS, of.users());
    return node;
  }

  private static Map<String, Object> step(DayPlan.Step step) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("at", PlanWords.time(step.minute()));
    node.put("minutes", step.minutes());
    node.put(PlanFile.USERS, step.users());
    node.put(PlanFile.CONFIGURATION, step.configuration().label());
    node.put("profitPerHour", step.profitPerHour());
    node.put("serversStarted", step.started());
    node.put("interpolated", step.interpolated());
    return node;
  }
}
