package org.terrace.groups.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The known offers of all members: the newest report of each. Registries are joined by taking the
 * newer report of each member, so they agree whatever order, loss and repetition the reports came
 * in. Confined to the holder of its owner's lock.
 */
final class Registry {
  private final Map<Long, Report> reports = new TreeMap<>();

  /** Takes a report; says whether it was news. */
  boolean join(Report report) {
    Report present = reports.get(report.member());
    if (present != null && present.version() >= report.version()) {
      return false;
    }
    reports.put(report.member(), report);
    return true;
  }

  /** Forgets members that are not in the view. */
  void retain(View view) {
    Set<Long> members = view.members().stream().map(Member::id).collect(Collectors.toSet());
    reports.keySet().retainAll(members);
  }

  Collection<Report> reports() {
    return List.copyOf(reports.values());
  }

  /** The replicas of a service, the least loaded first. */
  List<Offer> offers(String service) {
    List<Offer> offers = new ArrayList<>();
    for (Report report : reports.values()) {
      report.offers().stream().filter(o -> o.service().equals(service)).forEach(offers::add);
    }
    offers.sort(Comparator.comparingDouble(Offer::load).thenComparing(Offer::replica));
    return offers;
  }

  /** The names of all services. */
  Set<String> services() {
    Set<String> names = new TreeSet<>();
    reports.values().forEach(report -> report.offers().forEach(o -> names.add(o.service())));
    return names;
  }
}
