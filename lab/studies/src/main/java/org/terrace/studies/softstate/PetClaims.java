package org.terrace.studies.softstate;

import static org.terrace.studies.design.Ledger.count;
import static org.terrace.studies.design.Ledger.holds;
import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.softstate.PetRun.Spread;

/** The claims about the pet store, figures 6 to 8. */
final class PetClaims {
  private static final int ENOUGH_REPLICAS = 3;
  private static final double OVERLOAD = 5;

  private final Ledger ledger;
  private final SoftStateResults results;

  PetClaims(Ledger ledger, SoftStateResults results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    varies();
    overloaded();
    absorbs();
    improves();
    twoPaysMost();
    scales();
  }

  private Optional<PetRun> single(String service, int replicas) {
    return results
        .pages(6)
        .filter(run -> run.service().equals(service) && run.replicas() == replicas)
        .findFirst();
  }

  private void varies() {
    long all = 0;
    long more = 0;
    List<String> told = new ArrayList<>();
    for (int replicas : results.parameters().replicas()) {
      Optional<Latency> cpu = single("cpu-small", replicas).map(PetRun::pages);
      for (String service : List.of("io-small", "cpu-io-small")) {
        Optional<Latency> other = single(service, replicas).map(PetRun::pages);
        if (cpu.filter(Latency::isEnough).isPresent()
            && other.filter(Latency::isEnough).isPresent()) {
          double with = other.get().variation();
          double without = cpu.get().variation();
          all++;
          more += with > without ? 1 : 0;
          told.add(text("%s, %d replicas: %.2f against %.2f", service, replicas, with, without));
        }
      }
    }
    ledger.judge(
        "io-bound-varies",
        String.join("; ", told),
        count(more, all),
        "Standard deviation over mean, against that of the CPU-bound service of small variance."
            + " Reproduced if larger in every pair.");
  }

  private void overloaded() {
    List<String> told = new ArrayList<>();
    boolean slower = false;
    for (String service : PetRuns.SERVICES) {
      Optional<PetRun> one = single(service, 1);
      Optional<PetRun> more =
          results
              .pages(6)
              .filter(run -> run.service().equals(service) && run.replicas() >= ENOUGH_REPLICAS)
              .findFirst();
      if (one.filter(run -> run.pages().isEnough()).isPresent()
          && more.filter(run -> run.pages().isEnough()).isPresent()) {
        double ratio = one.get().pages().mean() / more.get().pages().mean();
        slower |= ratio > OVERLOAD;
        told.add(text("%s %.2f", service, ratio));
      }
    }
    ledger.judge(
        "overloaded-below-three",
        told.isEmpty()
            ? "not measured"
            : "mean with 1 replica over that with 3 or more: " + String.join(", ", told),
        slower ? Verdict.REPRODUCED : Verdict.CANNOT_TELL,
        "Reproduced if a service takes more than five times as long with one replica. Otherwise it"
            + " cannot be told: one of today's processors carries what needed three machines, and"
            + " replicas on one machine add work, for each runs every update, and no processors.");
  }

  private Optional<PetRun> seven(int replicas) {
    return results.pages(7).filter(run -> run.replicas() == replicas).findFirst();
  }

  private void absorbs() {
    Optional<PetRun> one = seven(1);
    Optional<PetRun> many = seven(results.parameters().petStore());
    if (one.isEmpty() || many.isEmpty() || results.parameters().petStore() == 1) {
      ledger.judge("replication-absorbs", "not measured", Verdict.CANNOT_TELL, "Needs two sizes.");
      return;
    }
    Latency alone = one.get().pages();
    Latency spread = many.get().pages();
    ledger.judge(
        "replication-absorbs",
        text(
            "mean %s with 1 replica (n = %,d), %s with %d (n = %,d)",
            millis(alone.mean()),
            alone.count(),
            millis(spread.mean()),
            many.get().replicas(),
            spread.count()),
        spread.isBelow(alone) ? Verdict.REPRODUCED : Verdict.CANNOT_TELL,
        "Reproduced if the mean with replicas is lower, their 95 % intervals apart, of 30 pages each. Otherwise it"
            + " cannot be told: replicas on one machine share its processors, and each runs every"
            + " update, so they add work and nothing to do it with.");
  }

  private Optional<PetRun> eight(int services, Spread spread) {
    return results
        .pages(8)
        .filter(run -> run.servicesAPage() == services && run.configuration().equals(spread))
        .findFirst();
  }

  private void improves() {
    long all = 0;
    long better = 0;
    long worse = 0;
    List<String> told = new ArrayList<>();
    for (int services : results.parameters().servicesAPage()) {
      Optional<PetRun> baseline = eight(services, PetRuns.BASELINE);
      Optional<PetRun> two = eight(services, new Spread(2, true, false));
      if (baseline.filter(run -> !run.readPages().isEmpty()).isPresent()
          && two.filter(run -> !run.readPages().isEmpty()).isPresent()) {
        Latency before = baseline.get().readPages();
        Latency after = two.get().readPages();
        all++;
        better += after.isBelow(before) ? 1 : 0;
        worse += before.isBelow(after) ? 1 : 0;
        told.add(
            text("%d services: %s, was %s", services, millis(after.mean()), millis(before.mean())));
      }
    }
    ledger.judge(
        "redundancy-improves",
        String.join("; ", told),
        better + worse == 0 ? Verdict.CANNOT_TELL : count(better, all),
        "Mean of pages that read, k = 2 against the first replica to reply. Reproduced if lower at"
            + " every number of services with 95 % intervals apart, partly at some, not if only"
            + " higher; if no intervals are apart it cannot be told.");
  }

  private void twoPaysMost() {
    long all = 0;
    long two = 0;
    List<String> told = new ArrayList<>();
    for (int services : results.parameters().servicesAPage()) {
      List<PetRun> runs =
          results
              .pages(8)
              .filter(run -> run.servicesAPage() == services)
              .filter(run -> !run.readPages().isEmpty())
              .filter(run -> run.configuration().adaptive() && !run.configuration().hedged())
              .sorted((a, b) -> Double.compare(a.readPages().mean(), b.readPages().mean()))
              .toList();
      if (runs.size() >= 2) {
        Latency best = runs.getFirst().readPages();
        Latency next = runs.get(1).readPages();
        boolean apart = best.isBelow(next);
        all += apart ? 1 : 0;
        two += apart && runs.getFirst().configuration().redundancy() == 2 ? 1 : 0;
        told.add(
            text(
                "%d services: %s is least with %s%s",
                services,
                runs.getFirst().configuration().label(),
                millis(best.mean()),
                apart ? "" : ", within the noise"));
      }
    }
    ledger.judge(
        "two-pays-most",
        String.join("; ", told),
        all == 0 ? Verdict.CANNOT_TELL : count(two, all),
        "Mean of pages that read. Judged where the least mean's 95 % interval lies apart from the"
            + " next: reproduced if that is k = 2 everywhere, partly if somewhere.");
  }

  private void scales() {
    List<Integer> sizes = results.parameters().servicesAPage();
    Spread one = new Spread(1, true, false);
    Optional<PetRun> least = eight(sizes.getFirst(), one);
    Optional<PetRun> most = eight(sizes.getLast(), one);
    if (least.isEmpty() || most.isEmpty() || sizes.getFirst().equals(sizes.getLast())) {
      ledger.judge("scales-with-services", "not measured", Verdict.CANNOT_TELL, "Needs two sizes.");
      return;
    }
    Latency few = least.get().pages();
    Latency many = most.get().pages();
    double ratio = many.mean() / few.mean();
    double services = (double) sizes.getLast() / sizes.getFirst();
    ledger.judge(
        "scales-with-services",
        text(
            "a page of %d services takes %.2f times as long as one of %d (n = %,d and %,d)",
            sizes.getLast(), ratio, sizes.getFirst(), many.count(), few.count()),
        few.isEnough() && many.isEnough() ? holds(ratio < services) : Verdict.CANNOT_TELL,
        "Means at k = 1, of 30 pages at least. Reproduced if the ratio is below that of the numbers of services: they are"
            + " asked in parallel.");
  }
}
