package org.terrace.control.manager;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.detector.Verdict;
import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/**
 * One manager's care of one service: which replicas are there, what its reference should be, and
 * whom to launch. A manager that does not lead only keeps count. Confined to its {@link
 * ManagerCore}.
 *
 * <p>A replica that is declared failed is killed, unless it registers again before: then it is
 * taken back. The reference is changed before anything is told to replicas, by comparison with the
 * version known, so what a replica is told is always what was chosen.
 */
final class ServiceKeeper {
  private static final long CHANGE_RETRY_NANOS = 100_000_000;
  private static final int LOST_MAX = 1_024;

  /** More epochs than can have been chosen and forgotten without this manager's hearing. */
  private static final long EPOCHS_UNHEARD_MAX = 1_000;

  private final ServiceOptions options;
  private final Map<String, ReplicaRecord> replicas = new LinkedHashMap<>();
  private final LinkedHashSet<String> lost = new LinkedHashSet<>();
  private final Condemned condemned = new Condemned();
  private final Launches launches;
  private final KnownName known = new KnownName();
  private @Nullable Registration wanted;
  private @Nullable FailOver lastFailOver;
  private boolean leading;
  private boolean loaded;
  private boolean asking;
  private long term;
  private long graceEndNanos;
  private long retryAtNanos;
  private int more;
  private long epochFloor;

  /**
   * @param incarnation of the manager
   */
  ServiceKeeper(ServiceOptions options, String incarnation) {
    this.options = options;
    this.launches = new Launches(options, incarnation);
  }

  String service() {
    return options.service();
  }

  @Nullable Registration present() {
    return known.newest();
  }

  @Nullable FailOver lastFailOver() {
    return lastFailOver;
  }

  Map<String, ReplicaRecord> replicas() {
    return replicas;
  }

  Launches launches() {
    return launches;
  }

  int degree() {
    Registration present = present();
    return (present == null ? options.degree() : present.degree()) + more;
  }

  /** Takes over the care of the service, beginning with what is registered. */
  void lead(long newTerm, long nowNanos, List<ManagerEffect> effects) {
    leading = true;
    loaded = false;
    asking = true;
    wanted = null;
    term = newTerm;
    graceEndNanos = nowNanos + options.grace().toNanos();
    launches.lead(newTerm);
    effects.add(new ManagerEffect.Read(service()));
  }

  /** Leaves the care of the service to another manager. */
  void follow() {
    leading = false;
    loaded = false;
    asking = false;
    wanted = null;
    launches.forget();
  }

  /** The naming service has answered, or told of a change by itself. */
  void stored(Registration value, boolean isAnswer, long nowNanos, List<ManagerEffect> effects) {
    if (isAnswer) {
      asking = false;
      loaded = true;
      if (value.equals(wanted)) {
        more = 0;
      }
      wanted = null;
    }
    epochSeen(known.epoch()); // A value of a naming service that forgot has less.
    boolean newer = known.heard(value, isAnswer);
    if (isAnswer && leading && value.term() == term) {
      // A manager that does not know yet that its term is over would kill what the next counts on.
      condemned.kill(nowNanos, this::lists, effects);
    }
    if (newer && leading) {
      if (lastFailOver != null && !lists(lastFailOver.replica())) {
        lastFailOver = lastFailOver.referred(nowNanos);
      }
      replicas.values().forEach(replica -> tell(replica, effects));
    }
  }

  /** The naming service has nothing: it never had, or has forgotten what is put back then. */
  void absent(long firstVersion) {
    known.absent(firstVersion);
    if (known.isForgotten()) {
      epochSeen(known.epoch() + EPOCHS_UNHEARD_MAX);
    }
    asking = false;
    loaded = true;
    wanted = null;
  }

  void unanswered(long nowNanos) {
    asking = false;
    loaded &= known.endsCheck();
    wanted = null;
    retryAtNanos = nowNanos + CHANGE_RETRY_NANOS;
  }

  /** A replica's database has shown it an epoch: the next primary's is above it. */
  void epochSeen(long epoch) {
    epochFloor = Math.max(epochFloor, epoch);
  }

  void up(Endpoint endpoint, long pid, long nowNanos, List<ManagerEffect> effects) {
    launches.registered(endpoint.replica());
    ReplicaRecord replica = new ReplicaRecord(endpoint, pid, nowNanos);
    replicas.put(endpoint.replica(), replica);
    if (leading) {
      replica.killed = condemned.isOrdered(endpoint.replica());
      tell(replica, effects);
    } else {
      condemned.forget(endpoint.replica());
    }
  }

  private void tell(ReplicaRecord replica, List<ManagerEffect> effects) {
    Registration present = present();
    if (present != null) {
      effects.add(new ManagerEffect.Tell(replica.name(), present.reference()));
    }
    if (replica.draining && !lists(replica.name()) && !replica.askedToDrain) {
      replica.askedToDrain = true;
      effects.add(new ManagerEffect.AskDrain(replica.name()));
    }
  }

  /** A replica has been declared failed: it is ended, and counted no more. */
  void declareFailed(
      String name, Verdict verdict, long silenceNanos, long nowNanos, List<ManagerEffect> effects) {
    ReplicaRecord replica = replicas.remove(name);
    if (replica == null) {
      return;
    }
    lost.add(name);
    if (lost.size() > LOST_MAX) {
      lost.removeFirst();
    }
    boolean hung = verdict == Verdict.HUNG;
    condemned.declareFailed(replica, hung ? nowNanos : nowNanos + Condemned.RETURN_NANOS);
    if (leading) {
      if (hung) {
        effects.add(new ManagerEffect.Disconnect(name));
      }
      if (!replica.draining) {
        launches.lost(nowNanos - replica.sinceNanos, nowNanos);
      }
      if (lists(name)) {
        lastFailOver =
            FailOver.begin(name, verdict, name.equals(primary()), silenceNanos, nowNanos);
      }
      String word = verdict.name().toLowerCase(Locale.ROOT);
      effects.add(new ManagerEffect.Journal(service() + ": " + name + " " + word));
    }
  }

  /** The process of a launched replica has ended. */
  void processEnded(String name, long nowNanos, List<ManagerEffect> effects) {
    launches.failed(name, nowNanos);
    declareFailed(name, Verdict.CRASHED, 0, nowNanos, effects);
  }

  void drained(String name, List<ManagerEffect> effects) {
    ReplicaRecord replica = replicas.get(name);
    if (leading && replica != null && replica.draining) {
      effects.add(new ManagerEffect.Kill(name, replica.pid));
    }
  }

  void drain(String name, long nowNanos) {
    ReplicaRecord replica = replicas.get(name);
    if (replica != null) {
      replica.drain(nowNanos);
    }
  }

  void kill(String name, List<ManagerEffect> effects) {
    ReplicaRecord replica = replicas.get(name);
    if (replica != null) {
      effects.add(new ManagerEffect.Kill(name, replica.pid));
    }
  }

  void addOne() {
    if (degree() < ServiceOptions.DEGREE_MAX) {
      more++;
    }
  }

  /** Decides what is to be done now. */
  void decide(long nowNanos, List<ManagerEffect> effects) {
    if (!leading) {
      return;
    }
    if (!loaded) {
      if (!asking && nowNanos >= retryAtNanos) {
        asking = true;
        effects.add(new ManagerEffect.Read(service()));
      }
      return;
    }
    endOverdueDrains(nowNanos);
    drainSurplus(nowNanos);
    Registration next = desired(nowNanos);
    if (wanted == null && next != null) {
      wanted = next;
      asking = true;
      effects.add(new ManagerEffect.Change(next, known.held()));
    }
    int expected = expected(nowNanos).size();
    int working = (int) replicas.values().stream().filter(ReplicaRecord::isWorking).count();
    launches.decide(degree() + options.spares() - working - expected, nowNanos, effects);
    retireExtras(working, nowNanos);
    boolean quiet = wanted == null && !asking;
    if (quiet && (condemned.isDue(nowNanos) || known.isCheckDue(nowNanos))) {
      asking = true;
      effects.add(new ManagerEffect.Read(service()));
    }
    if (lastFailOver != null && present() != null && serving() >= degree()) {
      lastFailOver = lastFailOver.restored(nowNanos);
    }
  }

  private long serving() {
    return listed().stream().filter(endpoint -> replicas.containsKey(endpoint.replica())).count();
  }

  private void endOverdueDrains(long nowNanos) {
    for (ReplicaRecord replica : replicas.values()) {
      if (replica.draining
          && !replica.killed
          && nowNanos - replica.drainingSinceNanos > 2 * options.drainTimeout().toNanos()) {
        replica.killed = true;
        condemned.order(replica, nowNanos);
      }
    }
  }

  /**
   * Drains the last of more listed replicas than wanted. While replicas are drained the reference
   * lists their successors too, and a leader that takes over does not know which were leaving.
   */
  private void drainSurplus(long nowNanos) {
    List<ReplicaRecord> working =
        listed().stream()
            .map(endpoint -> replicas.get(endpoint.replica()))
            .filter(replica -> replica != null && replica.isWorking())
            .toList();
    working.stream().skip(degree()).forEach(replica -> replica.drain(nowNanos));
  }

  /** Ends replicas beyond those wanted, never one that the reference lists. */
  private void retireExtras(int working, long nowNanos) {
    int extra = working - degree() - options.spares();
    if (extra <= 0 || present() == null) {
      return;
    }
    for (ReplicaRecord replica : List.copyOf(replicas.values()).reversed()) {
      if (extra > 0 && replica.isWorking() && !lists(replica.name())) {
        replica.killed = true;
        condemned.order(replica, nowNanos);
        extra--;
      }
    }
  }

  /** The registered replicas that a new leader still waits for. */
  private List<Endpoint> expected(long nowNanos) {
    if (nowNanos >= graceEndNanos) {
      return List.of();
    }
    return listed().stream()
        .filter(endpoint -> !replicas.containsKey(endpoint.replica()))
        .filter(endpoint -> !lost.contains(endpoint.replica()))
        .toList();
  }

  /** The registration that should be; null if it is as it should be. */
  private @Nullable Registration desired(long nowNanos) {
    List<Endpoint> endpoints = endpoints(nowNanos);
    Registration old = present();
    if (old != null
        && !known.isForgotten()
        && old.reference().endpoints().equals(endpoints)
        && old.reference().style() == options.style()
        && old.term() == term
        && old.degree() == degree()
        && old.reference().epoch() >= epochFloor) {
      return null;
    }
    // A database may know of epochs that the names have forgotten, and then refuses all below.
    long epoch = Math.max(epochFloor, known.epoch());
    boolean forgotten = old != null && old.reference().epoch() < epochFloor;
    boolean newPrimary =
        !endpoints.isEmpty() && !endpoints.getFirst().replica().equals(Objects.toString(primary()));
    ServiceReference reference =
        new ServiceReference(
            service(),
            options.style(),
            newPrimary || forgotten ? epoch + 1 : epoch,
            known.nextVersion(),
            endpoints);
    return new Registration(reference, term, degree());
  }

  /**
   * Those listed stay in their order as long as they are there; then come others, oldest first. One
   * that is being drained leaves the list when there are enough others, or its time is up.
   */
  private List<Endpoint> endpoints(long nowNanos) {
    List<Endpoint> expected = expected(nowNanos);
    long others = replicas.values().stream().filter(ReplicaRecord::isWorking).count();
    boolean enough = others >= degree();
    List<Endpoint> chosen = new ArrayList<>();
    for (Endpoint endpoint : listed()) {
      ReplicaRecord replica = replicas.get(endpoint.replica());
      if (replica == null ? expected.contains(endpoint) : stays(replica, enough, nowNanos)) {
        chosen.add(endpoint);
      }
    }
    long working =
        chosen.stream()
            .map(endpoint -> replicas.get(endpoint.replica()))
            .filter(replica -> replica == null || replica.isWorking())
            .count();
    for (ReplicaRecord replica : replicas.values()) {
      if (working < degree()
          && replica.isWorking()
          && chosen.stream().noneMatch(endpoint -> endpoint.replica().equals(replica.name()))) {
        chosen.add(replica.endpoint);
        working++;
      }
    }
    return chosen;
  }

  private boolean stays(ReplicaRecord replica, boolean enough, long nowNanos) {
    boolean inTime = nowNanos - replica.drainingSinceNanos < options.drainTimeout().toNanos();
    return !replica.killed && (!replica.draining || (!enough && inTime));
  }

  private @Nullable String primary() {
    return listed().isEmpty() ? null : listed().getFirst().replica();
  }

  private boolean lists(String name) {
    return listed().stream().anyMatch(endpoint -> endpoint.replica().equals(name));
  }

  private List<Endpoint> listed() {
    Registration present = present();
    return present == null ? List.of() : present.reference().endpoints();
  }
}
