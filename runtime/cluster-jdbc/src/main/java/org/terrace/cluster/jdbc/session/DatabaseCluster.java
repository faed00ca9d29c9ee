package org.terrace.cluster.jdbc.session;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.ClusterCore;
import org.terrace.cluster.core.ClusterEffect;
import org.terrace.cluster.core.ClusterEvent;
import org.terrace.cluster.core.ClusterSettings;
import org.terrace.cluster.core.FreshnessToken;
import org.terrace.cluster.core.ReadBalancer;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.FreshReplicas;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.jdbc.inspection.ReplicaListener;
import org.terrace.cluster.jdbc.recovery.LostReplicas;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.server.dialect.EngineDialect;
import org.terrace.cluster.server.dialect.ReplicaAddress;
import org.terrace.cluster.server.memory.MembershipTable;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.KnownTables;
import org.terrace.cluster.sql.StatementAnalyzer;
import org.terrace.cluster.sql.TableCatalog;
import org.terrace.recovery.log.RecoveryLog;

/**
 * A cluster of database servers as one: the pure core, its real servers, and the threads between
 * them. Thread-safe.
 */
public final class DatabaseCluster implements AutoCloseable {
  private static final Logger LOG = System.getLogger(DatabaseCluster.class.getName());

  private final ClusterConfiguration configuration;
  private final List<ReplicaServer> replicas;
  private final EngineDialect dialect;
  private final StatementAnalyzer analyzer;
  private final ReadBalancer balancer;
  private final ExecutorService executor;
  private final ReplicaWatch watch;
  private final ClusterRecovery recovery;
  private final EventSteps<ClusterEvent> steps = new EventSteps<>(this::step);
  private final ClusterCore core;
  private final Map<Long, ClientTransaction> transactions = new ConcurrentHashMap<>();
  private final LostReplicas losses;
  private final AtomicLong numbers = new AtomicLong();
  private final KnownTables<TableCatalog> tables;
  private final NamedLocks namedLocks = new NamedLocks();
  private final SequenceNumbers sequenceNumbers = new SequenceNumbers(this);
  private final FreshReplicas fresh;
  private final ServerMembership membership;

  /** Written in steps alone; whoever reads it elsewhere may be a step behind. */
  private volatile List<Integer> active;

  private volatile int lastActive;

  private DatabaseCluster(ClusterConfiguration configuration, ClusterOpening opening) {
    this.configuration = configuration;
    this.replicas = new CopyOnWriteArrayList<>(opening.replicas());
    this.membership = new ServerMembership(this, replicas, opening.servers());
    this.dialect = EngineDialect.of(configuration.engine());
    // It is never shut down, as what is under way at the close has to come to its end.
    this.executor = Executors.newVirtualThreadPerTaskExecutor();
    this.analyzer =
        new StatementAnalyzer(
            configuration.engine(),
            opening.greeting().schema().catalog(),
            configuration.functions(),
            executor,
            configuration.parse());
    this.tables = new KnownTables<>(opening.greeting().schema().catalog(), analyzer::use);
    this.balancer = new ReadBalancer(configuration.balancing(), configuration.weights());
    this.active = opening.members();
    this.losses = new LostReplicas(configuration, replicas, opening.out());
    RecoveryLog log = opening.log();
    this.core =
        new ClusterCore(
            new ClusterSettings(
                configuration.strategy(),
                configuration.minimumReplicas(),
                configuration.maxBehind()),
            active,
            opening.view(),
            opening.lastPosition(),
            log == null ? 0 : log.lastIndex(),
            log == null ? 0 : log.lastPosition().orElse(0));
    this.fresh = new FreshReplicas(core.progress(), this::active);
    this.recovery = new ClusterRecovery(this, opening, replicas, executor);
    this.watch = new ReplicaWatch(this, replicas, configuration.hang(), configuration.lease());
  }

  /**
   * Opens a cluster: takes its ownership, brings its servers to the same, and compares their
   * versions and schemas.
   */
  public static DatabaseCluster open(ClusterConfiguration configuration) throws SQLException {
    ClusterOpening opening = ClusterOpening.of(configuration);
    DatabaseCluster cluster = new DatabaseCluster(configuration, opening);
    cluster.watch.start();
    opening
        .out()
        .forEach((number, reason) -> {
          ReplicaServer replica = cluster.replica(number);
          LOG.log(Level.WARNING, "Replica {0} does not take part: {1}", replica.name(), reason);
          cluster.recovery.seekReturn(replica);
        });
    return cluster;
  }

  /** The settings in the URL. */
  public ClusterConfiguration configuration() {
    return configuration;
  }

  /** The numbers of the active replicas. */
  public List<Integer> active() {
    return active;
  }

  /** The number of the replica that was active last, while none is. */
  int lastActive() {
    return lastActive;
  }

  /** The reason for which each replica that is out was taken out, by its name. */
  public Map<String, String> losses() {
    return losses.named();
  }

  /** The names of its servers, active or not. */
  public List<String> servers() {
    return membership.servers();
  }

  /**
   * Adds a server by its host and port, which then gets the data of the others, while they serve,
   * and takes part.
   *
   * @throws SQLException when it does not answer, is one already, or there is no recovery log
   */
  public void addServer(String server) throws SQLException {
    membership.add(ReplicaAddress.parse(server, engine()));
  }

  /**
   * Removes a server by its host and port.
   *
   * @throws SQLException when it is none, or too few active ones would be left
   */
  public void removeServer(String server) throws SQLException {
    membership.remove(ReplicaAddress.parse(server, engine()));
  }

  ServerMembership membership() {
    return membership;
  }

  /** The replicas that are out, and those who want to be told. */
  LostReplicas lostReplicas() {
    return losses;
  }

  /** Does a wish to the owner in its own time. */
  void grant(int replica, MembershipTable.Wish wish) {
    executor.execute(() -> membership.grant(replica, wish));
  }

  /** Tells a listener of the servers that are out, and of losses and returns from now on. */
  public void listen(ReplicaListener listener) {
    steps.between(() -> {
      losses.listen(listener);
      return true;
    });
  }

  /** Tells a listener nothing more. */
  public void forget(ReplicaListener listener) {
    losses.forget(listener);
  }

  /** Cuts all connections, after a short wait for replicas that are behind. */
  @Override
  public void close() {
    if (!fresh.awaitEven(configuration.hang())) {
      LOG.log(
          Level.INFO, "A replica is behind as {0} closes: the log has the rest.", configuration);
    }
    recovery.awaitView(configuration.hang());
    transactions.values().forEach(ClientTransaction::clusterCloses);
    watch.close();
    replicas.forEach(ReplicaServer::retire);
    replicas.forEach(ReplicaServer::cut);
    recovery.close(active);
  }

  ClusterRecovery recovery() {
    return recovery;
  }

  ReplicaWatch watch() {
    return watch;
  }

  /** Asks the core something between two of its steps. */
  public <T> T ask(Function<ClusterCore, T> question) {
    return steps.between(() -> question.apply(core));
  }

  /** Notes why a replica is out, if it still is. */
  void lost(int replica, String reason) {
    steps.between(() -> {
      if (!active.contains(replica)) {
        losses.because(replica, reason);
      }
      return reason;
    });
  }

  EventSteps<ClusterEvent> steps() {
    return steps;
  }

  NamedLocks locks() {
    return namedLocks;
  }

  SequenceNumbers numbers() {
    return sequenceNumbers;
  }

  StatementAnalyzer analyzer() {
    return analyzer;
  }

  ReadBalancer balancer() {
    return balancer;
  }

  EngineDialect dialect() {
    return dialect;
  }

  Engine engine() {
    return configuration.engine();
  }

  ReplicaServer replica(int number) {
    return replicas.get(number);
  }

  /** The number of times that the catalogue of tables has changed. */
  long catalogue() {
    return tables.changes();
  }

  /** Judges by other tables. */
  KnownTables.Change<TableCatalog> learnTables(TableCatalog learned) {
    KnownTables.Change<TableCatalog> change = tables.change(learned);
    sequenceNumbers.forgetAll();
    return change;
  }

  /** Judges by other tables, unless others were learned after a change. */
  void unlearnTables(long change, TableCatalog committed) {
    tables.changeUnlessChanged(change, committed);
    sequenceNumbers.forgetAll();
  }

  /** The memory of a session that has seen nothing. */
  SessionFreshness newSession() {
    return new SessionFreshness(fresh, configuration.lockWait());
  }

  /** Chooses a replica that has what a session has seen, and counts the read as under way there. */
  int chooseForRead(FreshnessToken token) throws SQLException {
    List<Integer> candidates = fresh.allowed(token, configuration.lockWait());
    if (candidates.isEmpty()) {
      throw new SQLException("No replica is left: " + losses() + ".", SqlStates.CONNECTION_FAILURE);
    }
    return balancer.choose(candidates);
  }

  /**
   * Begins a transaction that writes.
   *
   * @param home where it reads until it has written
   * @param connection a connection there that has begun already; null: none
   */
  ClientTransaction begin(
      SessionFreshness seen, List<String> settings, int home, @Nullable Connection connection) {
    long id = numbers.incrementAndGet();
    ClientTransaction transaction =
        new ClientTransaction(this, id, seen, settings, home, connection);
    transactions.put(id, transaction);
    return transaction;
  }

  ReplicaBranch branch(int replica, List<String> settings, @Nullable Connection begun) {
    return new ReplicaBranch(replicas.get(replica), executor, settings, begun);
  }

  /** Takes a replica out because it does not answer, or its connection broke. */
  void failed(int replica, SQLException failure) {
    post(new ClusterEvent.ReplicaFailed(replica, String.valueOf(failure.getMessage())));
  }

  /** Hands an event to the core and does what it says. */
  void post(ClusterEvent event) {
    steps.post(event);
  }

  private void step(ClusterEvent event) {
    List<ClusterEffect> effects = core.step(event);
    lastActive = core.lastActive(); // before none is active: who sees that asks for it
    // Whoever reads what an effect commits must find it noted.
    fresh.progressed(core.progress());
    effects.forEach(this::attempt);
  }

  /** Does what an effect says. One that fails is told of, and those behind it are done. */
  private void attempt(ClusterEffect effect) {
    try {
      perform(effect);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "The cluster could not do all that it had decided: " + effect, e);
      effect.failure("the cluster itself failed there: " + e).forEach(this::post);
      if (effect instanceof ClusterEffect.Answer answer) {
        Optional.ofNullable(transaction(answer.transaction())).ifPresent(one -> one.unanswered(e));
      }
    }
  }

  private void perform(ClusterEffect effect) {
    switch (effect) {
      case ClusterEffect.AtReplica part -> of(part.transaction()).branches().perform(part);
      case ClusterEffect.Append append ->
          recovery.append(append, of(append.transaction()).branches().record());
      case ClusterEffect.AnswerDone done -> of(done.transaction()).answered(done);
      case ClusterEffect.AnswerAborted aborted -> of(aborted.transaction()).aborted(aborted);
      case ClusterEffect.AnswerWaited waited -> of(waited.transaction()).waited(waited);
      case ClusterEffect.GiveUp giveUp -> of(giveUp.transaction()).giveUp();
      case ClusterEffect.Forget forget ->
          Optional.ofNullable(transactions.remove(forget.transaction()))
              .ifPresent(ClientTransaction::forgotten);
      case ClusterEffect.TakeOut out -> takeOut(out);
      case ClusterEffect.RecordView view -> recovery.recordView(view);
      case ClusterEffect.CatchUp catchUp -> recovery.catchUp(catchUp);
      case ClusterEffect.Join join -> join(join);
    }
  }

  private void join(ClusterEffect.Join join) {
    active = core.active();
    fresh.activeChanged();
    recovery.joined(join);
    watch.start(join.replica());
    losses.returned(join.replica());
  }

  private void takeOut(ClusterEffect.TakeOut out) {
    active = core.active();
    fresh.activeChanged();
    transactions.values().forEach(transaction -> transaction.branches().leave(out.replica()));
    ReplicaServer replica = replicas.get(out.replica());
    if (membership.isRemoved(out.replica())) {
      executor.execute(replica::cut);
      return;
    }
    executor.execute(() -> recovery.takenOut(replica, out.reason(), out.diverged()));
    losses.lost(out.replica(), out.reason(), active.size());
  }

  /** A transaction that has not ended; null: there is none of that number. */
  @Nullable ClientTransaction transaction(long id) {
    return transactions.get(id);
  }

  private ClientTransaction of(long id) {
    ClientTransaction transaction = transactions.get(id);
    if (transaction == null) {
      throw new IllegalStateException("transaction " + id + " is not known");
    }
    return transaction;
  }
}
