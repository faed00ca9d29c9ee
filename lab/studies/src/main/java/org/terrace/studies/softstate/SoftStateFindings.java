package org.terrace.studies.softstate;

import static org.terrace.studies.design.Ledger.millis;
import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyDescription.Parameter;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.studies.design.MachineOfStudy;
import org.terrace.studies.design.StudyContext;

/** Turns what the runs saw into tables, figures and the ledger. */
final class SoftStateFindings {
  private static final long FAILED_ONE_IN = 1_000;

  private final StudyContext context;
  private final SoftStateResults results;
  private final SoftStateParameters parameters;

  SoftStateFindings(StudyContext context, SoftStateResults results) {
    this.context = context;
    this.results = results;
    this.parameters = results.parameters();
  }

  StudyFindings toStudyFindings() {
    CartFigures cart = new CartFigures(results);
    PetFigures pets = new PetFigures(results);
    List<Figure> figures = new ArrayList<>(cart.figures());
    figures.addAll(pets.figures());
    List<DataTable> tables = new ArrayList<>(cart.tables());
    tables.addAll(pets.tables());
    return new StudyFindings(
        study(), SoftStateClaims.judge(context.study(), results), tables, figures, validity());
  }

  private StudyDescription study() {
    return new StudyDescription(
        context.study().name(),
        context.study().paper(),
        "Soft state in the service tier",
        summary(),
        parameters(),
        MachineOfStudy.facts(),
        deviations());
  }

  private String summary() {
    int most = parameters.clients().stream().mapToInt(Integer::intValue).max().orElse(0);
    String at =
        parameters.stores().stream()
            .flatMap(store -> results.over(store).stream())
            .filter(run -> run.clients() == most)
            .map(run -> run.store().label() + " " + millis(run.calls().mean()))
            .collect(Collectors.joining(", "));
    return text("Mean latency of the cart with %,d clients: %s.", most, at)
        + " "
        + "With half the replicas overloaded, reads from those were "
        + Regimes.of(results.staleness()).describe()
        + ".";
  }

  private static String list(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private List<Parameter> parameters() {
    List<Parameter> all = new ArrayList<>();
    all.add(
        new Parameter(
            "clients of the cart",
            list(parameters.clients()),
            "1, 2, 4, 16, 32, 64, 128, 256, 512, 800, 1,024"));
    all.add(
        new Parameter(
            "warm-up and measurement",
            parameters.warmUp().toSeconds()
                + " s, "
                + parameters.measure().toSeconds()
                + " s for the cart, "
                + parameters.petMeasure().toSeconds()
                + " s for the pet store",
            "20 s, 20 s, then 20 s to cool down"));
    all.add(
        new Parameter(
            "cart's load",
            "1,024 objects of 1,024 bytes, Zipf s = 1, half reads, 20 ms think",
            "the same"));
    all.add(new Parameter("replicas of the cart", "3, gossip each 100 ms", "3, each 100 ms"));
    all.add(
        new Parameter(
            "connections to a database", Integer.toString(LatencyRuns.CONNECTIONS), null));
    all.add(
        new Parameter(
            "overload",
            text(
                "from %d s for %d s, 128 rogue clients, 3 of 6 replicas, gossip each 40 ms",
                parameters.attackAfter().toSeconds(), parameters.attack().toSeconds()),
            "from 10 s for 30 s, 128 rogue clients, 3 of 6 replicas, gossip each 40 ms"));
    all.add(
        new Parameter(
            "calls that a replica takes at once, overload",
            Integer.toString(parameters.queue()),
            "the kernel's queue of packets"));
    all.add(new Parameter("JVMs of servers and loads", CartPrograms.flags(), null));
    all.add(new Parameter("replicas killed", Integer.toString(parameters.crashes()), null));
    all.add(new Parameter("replicas of one pet service", list(parameters.replicas()), "3 to 56"));
    all.add(
        new Parameter("replicas of the whole pet store", "1, " + parameters.petStore(), "1, 8"));
    all.add(
        new Parameter(
            "work of a pet service's call",
            text(
                "%d us of processor, %d forced write of 4 KB, where it has that kind of work",
                PetRuns.CPU_MICROS, PetRuns.WRITES),
            null));
    all.add(new Parameter("services a page", list(parameters.servicesAPage()), "1 to 7"));
    all.add(new Parameter("redundancy k", list(parameters.redundancy()), "1, 2, 5"));
    return all;
  }

  private List<String> deviations() {
    List<String> said = new ArrayList<>();
    if (!context.full()) {
      said.add(
          "A short run: fewer numbers of clients, replicas and services, and seconds instead of"
              + " minutes; --full repeats the published sizes as far as one machine has room.");
    }
    said.add(
        "All processes share one machine and its loopback network; the source had a cluster of 252"
            + " nodes. Replicas here add work (each runs every update) and no processors, which"
            + " turns against whatever has most replicas.");
    said.add(
        "H2 in memory, in a process of its own, takes the place of the commercial in-memory database;"
            + " its remote and primary-and-backup set-ups are not repeated. PostgreSQL with every"
            + " commit on disk takes that of the database on disk.");
    said.add(
        "The cart over a database is served by the same server and transport as the cart over"
            + " Terrace; the source had Tomcat and SOAP. It is one process, as in the source.");
    said.add(
        "Time with the data is that of holding a connection for a database, without waiting for one;"
            + " for Terrace that of running the call within its identity.");
    said.add(
        "Overload drops calls at a replica's bounded queue, not packets in the kernel; a front end"
            + " that learns of it may ask again.");
    said.add(
        "Each process of the pet store serves all its services, where the source had servers for"
            + " each. Hedging is off but where it is named, so that k alone is compared.");
    return said;
  }

  private List<Validity> validity() {
    long failed =
        results.cart().stream().mapToLong(CartRun::failed).sum()
            + results.pages().stream().mapToLong(PetRun::failed).sum();
    long calls =
        Stream.concat(
                results.cart().stream().map(CartRun::calls),
                results.pages().stream().map(PetRun::pages))
            .mapToLong(Latency::count)
            .sum();
    long empty =
        Stream.concat(
                results.cart().stream().map(CartRun::calls),
                results.pages().stream().map(PetRun::pages))
            .filter(Latency::isEmpty)
            .count();
    long few =
        Stream.concat(
                results.cart().stream().map(CartRun::calls),
                results.pages().stream().map(PetRun::pages))
            .filter(latency -> !latency.isEnough())
            .count();
    StalenessRun.Result staleness = results.staleness();
    boolean attacked = staleness.attackTo() > staleness.attackFrom();
    return List.of(
        new Validity(
            "calls-answered",
            failed * FAILED_ONE_IN <= calls,
            text("%,d of %,d calls failed; one in 1,000 may", failed, calls)),
        new Validity(
            "runs-measured",
            empty == 0,
            text(
                "%d runs measured no call, %d fewer than %d, each repeated up to %d times and twice as"
                    + " long each time",
                empty, few, Latency.ENOUGH, Repetitions.TIMES_MAX)),
        new Validity(
            "overload-happened",
            attacked,
            text(
                "rogue clients from %.1f s to %.1f s of the run",
                staleness.attackFrom(), staleness.attackTo())));
  }
}
