package org.terrace.control.manager;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.detector.FaultDetector;
import org.terrace.control.detector.Verdict;
import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/**
 * The decisions of one replication manager.
 *
 * <p>The managers are registered as a service of their own, whose primary leads and whose epoch is
 * its term. A manager that misses the leader claims the next term by a change of that registration,
 * of which the naming service chooses one for each version. The leader writes its term into the
 * registration of every service before it does anything else, and a registration is never replaced
 * by one of an earlier term: from then on nothing an earlier leader still does can be chosen. Two
 * leaders at once, one of them not knowing yet, so cost a needless launch at worst.
 *
 * <p>A pure state machine: {@link #step} takes the time and one event, and says what is to be done.
 * Confined to one thread.
 */
final class ManagerCore {
  private static final long ANNOUNCE_NANOS = 500_000_000;
  private static final long CLAIM_RETRY_NANOS = 200_000_000;

  /** Whatever others say, there are as many terms left. */
  private static final long TERM_HEARD_MAX = ManagerMessage.EPOCH_MAX / 2;

  private final ManagerOptions options;
  private final Map<String, ServiceKeeper> keepers = new LinkedHashMap<>();
  private final Map<String, String> serviceOf = new LinkedHashMap<>();
  private final FaultDetector replicaDetector;
  private final FaultDetector peerDetector;
  private final KnownName managers = new KnownName();
  private long termSeen;
  private boolean leading;
  private boolean loaded;
  private boolean asking;
  private long term;
  private long claimAtNanos;
  private long takeovers;
  private long announceAtNanos;
  private long claimed;

  ManagerCore(ManagerOptions options, long nowNanos) {
    this.options = options;
    long tickNanos = options.tick().toNanos();
    this.replicaDetector = new FaultDetector(options.detector(), tickNanos, nowNanos);
    this.peerDetector = new FaultDetector(options.detector(), tickNanos, nowNanos);
    this.claimAtNanos = nowNanos + options.settle().toNanos() + staggerNanos();
    options
        .services()
        .forEach(service ->
            keepers.put(service.service(), new ServiceKeeper(service, options.incarnation())));
  }

  boolean isLeading() {
    return leading;
  }

  long term() {
    return term;
  }

  /** The latest term that this manager knows of, its own or another's. */
  long knownTerm() {
    return termSeen;
  }

  /** The manager that leads, as far as is known. */
  @Nullable String leader() {
    List<Endpoint> registered = registered();
    return registered.isEmpty() ? null : registered.getFirst().replica();
  }

  private List<Endpoint> registered() {
    Registration newest = managers.newest();
    return newest == null ? List.of() : newest.reference().endpoints();
  }

  /**
   * The address at which people ask the manager that leads, {@code host:port}; null if none is
   * known.
   */
  @Nullable String leaderAddress() {
    List<Endpoint> registered = registered();
    return registered.isEmpty() ? null : registered.getFirst().key();
  }

  Map<String, ServiceKeeper> keepers() {
    return keepers;
  }

  /** The number of other managers that this one hears. */
  int livePeers() {
    return peerDetector.live();
  }

  Verdict verdict(String replica) {
    return replicaDetector.verdict(replica);
  }

  /** Takes one event at the given time and says what is to be done. */
  List<ManagerEffect> step(long nowNanos, ManagerEvent event) {
    List<ManagerEffect> effects = new ArrayList<>();
    switch (event) {
      case ManagerEvent.Tick() -> tick(nowNanos, effects);
      case ManagerEvent.Stored stored -> stored(stored, nowNanos, effects);
      case ManagerEvent.Absent(String name, long firstVersion) -> absent(name, firstVersion);
      case ManagerEvent.Unanswered(String name) -> unanswered(name, nowNanos);
      case ManagerEvent.PeerUp(String manager) -> peerDetector.connected(manager, nowNanos);
      case ManagerEvent.PeerBeat(String manager, long peersTerm) -> {
        peerDetector.heartbeat(manager, nowNanos);
        termHeard(peersTerm);
      }
      case ManagerEvent.PeerLost(String manager) -> {
        if (peerDetector.disconnected(manager) && manager.equals(leader()) && !leading) {
          claimAtNanos = nowNanos + staggerNanos();
        }
      }
      case ManagerEvent.ReplicaStarting(String replica) ->
          keepers.values().forEach(keeper -> keeper.launches().goOn(replica, nowNanos, effects));
      case ManagerEvent.ReplicaUp up -> replicaUp(up, nowNanos, effects);
      case ManagerEvent.ReplicaBeat(String replica, long epochSeen) -> {
        replicaDetector.heartbeat(replica, nowNanos);
        ServiceKeeper keeper = keeperOf(replica);
        if (keeper != null) {
          keeper.epochSeen(epochSeen);
        }
      }
      case ManagerEvent.ReplicaLost(String replica) -> {
        if (options.heedsEnds()) {
          declareFailed(replica, Verdict.CRASHED, 0, nowNanos, effects);
        }
      }
      case ManagerEvent.ReplicaDrained(String replica) -> {
        ServiceKeeper keeper = keeperOf(replica);
        if (keeper != null) {
          keeper.drained(replica, effects);
        }
      }
      case ManagerEvent.ProcessEnded(String service, String replica) -> {
        ServiceKeeper keeper = keepers.get(service);
        if (keeper != null && options.heedsEnds()) {
          keeper.processEnded(replica, nowNanos, effects);
        } else if (keeper != null) {
          keeper.launches().failed(replica, nowNanos);
        }
      }
      case ManagerEvent.WantDrained(String service, String replica) ->
          keeper(service).drain(replica, nowNanos);
      case ManagerEvent.WantKilled(String service, String replica) ->
          keeper(service).kill(replica, effects);
      case ManagerEvent.WantMore(String service) -> keeper(service).addOne();
    }
    keepers.values().forEach(keeper -> keeper.decide(nowNanos, effects));
    if (leading && nowNanos >= announceAtNanos) {
      announceAtNanos = nowNanos + ANNOUNCE_NANOS;
      announce(managers.newest(), effects);
      keepers.values().forEach(keeper -> announce(keeper.present(), effects));
    }
    return effects;
  }

  private void termHeard(long peersTerm) {
    loaded &= peersTerm <= termSeen;
    termSeen = Math.max(termSeen, Math.min(peersTerm, TERM_HEARD_MAX));
  }

  private static void announce(@Nullable Registration chosen, List<ManagerEffect> effects) {
    if (chosen != null) {
      effects.add(new ManagerEffect.Announce(chosen));
    }
  }

  private ServiceKeeper keeper(String service) {
    ServiceKeeper keeper = keepers.get(service);
    if (keeper == null) {
      throw new IllegalArgumentException("no service is named " + service);
    }
    return keeper;
  }

  private @Nullable ServiceKeeper keeperOf(String replica) {
    String service = serviceOf.get(replica);
    return service == null ? null : keepers.get(service);
  }

  private long staggerNanos() {
    return options.rank() * options.claimStagger().toNanos();
  }

  private void tick(long nowNanos, List<ManagerEffect> effects) {
    for (FaultDetector.Change change : replicaDetector.tick(nowNanos)) {
      if (change.verdict() == Verdict.HUNG && leading) {
        declareFailed(change.name(), Verdict.HUNG, change.silenceNanos(), nowNanos, effects);
      }
    }
    for (FaultDetector.Change change : peerDetector.tick(nowNanos)) {
      if (change.verdict() == Verdict.HUNG && change.name().equals(leader()) && !leading) {
        claimAtNanos = nowNanos + staggerNanos();
      }
    }
    if (!loaded) {
      if (!asking) {
        asking = true;
        effects.add(new ManagerEffect.Read(options.group()));
      }
    } else if (leading && !asking) {
      keepRegistered(nowNanos, effects);
    } else if (!asking && nowNanos >= claimAtNanos && !leaderIsThere()) {
      claim(nowNanos, effects);
    }
  }

  /**
   * A leader whose registration the naming service has forgotten puts it back. One of an earlier
   * term than another manager knows of leads by the word of a naming service that had forgotten: it
   * begins anew with a term above all.
   */
  private void keepRegistered(long nowNanos, List<ManagerEffect> effects) {
    if (term < termSeen) {
      stepDown(nowNanos, effects);
      claim(nowNanos, effects);
    } else if (managers.isForgotten() || !options.self().replica().equals(leader())) {
      register(term, effects);
    } else if (managers.isCheckDue(nowNanos)) {
      asking = true;
      effects.add(new ManagerEffect.Read(options.group()));
    }
  }

  private boolean leaderIsThere() {
    String leader = leader();
    return leader != null
        && switch (peerDetector.verdict(leader)) {
          case ALIVE, SUSPECTED -> true;
          case HUNG, CRASHED -> false;
        };
  }

  private void claim(long nowNanos, List<ManagerEffect> effects) {
    claimAtNanos = nowNanos + CLAIM_RETRY_NANOS + staggerNanos();
    claimed = termSeen + 1;
    register(claimed, effects);
  }

  private void register(long ledTerm, List<ManagerEffect> effects) {
    List<Endpoint> endpoints = new ArrayList<>(List.of(options.self()));
    registered().stream()
        .filter(endpoint -> !endpoint.replica().equals(options.self().replica()))
        .limit(ServiceOptions.DEGREE_MAX - 1)
        .forEach(endpoints::add);
    ServiceReference reference =
        new ServiceReference(
            options.group(), Style.WARM_PASSIVE, ledTerm, managers.nextVersion(), endpoints);
    asking = true;
    effects.add(
        new ManagerEffect.Change(
            new Registration(reference, ledTerm, endpoints.size()), managers.held()));
  }

  private void stored(ManagerEvent.Stored stored, long nowNanos, List<ManagerEffect> effects) {
    Registration value = stored.value();
    if (!value.service().equals(options.group())) {
      ServiceKeeper keeper = keepers.get(value.service());
      if (keeper == null) {
        return;
      }
      keeper.stored(value, stored.isAnswer(), nowNanos, effects);
      if (leading && value.term() > term) {
        stepDown(nowNanos, effects);
      }
      return;
    }
    if (stored.isAnswer()) {
      asking = false;
      loaded = true;
    }
    // Also of an answer that is no news: a naming service that was set back may hold a later term.
    termSeen = Math.max(termSeen, value.reference().epoch());
    if (!managers.heard(value, stored.isAnswer())) {
      return;
    }
    boolean mine =
        value.reference().epoch() == claimed && options.self().replica().equals(leader());
    if (mine && !leading) {
      leading = true;
      takeovers++;
      term = value.reference().epoch();
      effects.add(new ManagerEffect.Journal(options.self().replica() + " leads, term " + term));
      keepers.values().forEach(keeper -> keeper.lead(term, nowNanos, effects));
      declareHungFailed(nowNanos, effects);
    } else if (leading && isLedByAnother(value)) {
      stepDown(nowNanos, effects);
    }
  }

  /**
   * Whether a value that is news ends this manager's lead: one of a later term, or of the same term
   * under another's name. A naming service that has forgotten lets two claim the same term; were
   * both to put their own name back, neither would ever stop.
   */
  private boolean isLedByAnother(Registration value) {
    long epoch = value.reference().epoch();
    return epoch > term || (epoch == term && !options.self().replica().equals(leader()));
  }

  /** Those that hung already while another manager led. */
  private void declareHungFailed(long nowNanos, List<ManagerEffect> effects) {
    for (String replica : List.copyOf(serviceOf.keySet())) {
      if (replicaDetector.verdict(replica) == Verdict.HUNG) {
        declareFailed(replica, Verdict.HUNG, 0, nowNanos, effects);
      }
    }
  }

  private void stepDown(long nowNanos, List<ManagerEffect> effects) {
    leading = false;
    loaded = false;
    claimAtNanos = nowNanos + options.settle().toNanos() + staggerNanos();
    keepers.values().forEach(ServiceKeeper::follow);
    effects.add(new ManagerEffect.Journal(options.self().replica() + " follows " + leader()));
  }

  private void absent(String name, long firstVersion) {
    if (name.equals(options.group())) {
      asking = false;
      loaded = true;
      managers.absent(firstVersion);
    } else {
      keeper(name).absent(firstVersion);
    }
  }

  private void unanswered(String name, long nowNanos) {
    if (name.equals(options.group())) {
      asking = false;
      loaded &= managers.endsCheck();
    } else {
      keeper(name).unanswered(nowNanos);
    }
  }

  private void replicaUp(ManagerEvent.ReplicaUp up, long nowNanos, List<ManagerEffect> effects) {
    ServiceKeeper keeper = keepers.get(up.service());
    if (keeper == null) {
      effects.add(
          new ManagerEffect.Journal(
              up.endpoint().replica() + " is of the service " + up.service() + ", unknown here"));
      return;
    }
    serviceOf.put(up.endpoint().replica(), up.service());
    replicaDetector.connected(up.endpoint().replica(), nowNanos);
    keeper.up(up.endpoint(), up.pid(), nowNanos, effects);
  }

  private void declareFailed(
      String replica,
      Verdict verdict,
      long silenceNanos,
      long nowNanos,
      List<ManagerEffect> effects) {
    ServiceKeeper keeper = keeperOf(replica);
    serviceOf.remove(replica);
    replicaDetector.disconnected(replica);
    if (keeper != null) {
      keeper.declareFailed(replica, verdict, silenceNanos, nowNanos, effects);
    }
  }

  /** The number of times that this manager has taken over the lead. */
  long takeovers() {
    return takeovers;
  }
}
