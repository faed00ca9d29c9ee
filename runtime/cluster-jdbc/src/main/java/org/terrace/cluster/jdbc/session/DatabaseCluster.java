package org.terrace.cluster.jdbc.session;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.core.ClusterCore;
import org.terrace.cluster.jdbc.core.ClusterEffect;
import org.terrace.cluster.jdbc.core.ClusterEvent;
import org.terrace.cluster.jdbc.core.ClusterSettings;
import org.terrace.cluster.jdbc.core.ReadBalancer;
import org.terrace.cluster.jdbc.core.SqlStates;
import org.terrace.cluster.jdbc.replica.EngineDialect;
import org.terrace.cluster.jdbc.replica.ReplicaServer;
import org.terrace.cluster.jdbc.settings.ClusterConfiguration;
import org.terrace.cluster.jdbc.settings.Engine;
import org.terrace.cluster.jdbc.sql.StatementAnalyzer;

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
  private final ReentrantLock stepping = new ReentrantLock();
  private final Deque<ClusterEvent> inbox = new ArrayDeque<>();
  private final ClusterCore core;
  private final Map<Long, ClientTransaction> transactions = new ConcurrentHashMap<>();
  private final Map<Integer, String> losses = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong catalogues = new AtomicLong();
  private volatile List<Integer> active;
  private boolean stepUnderWay;

  private DatabaseCluster(ClusterConfiguration configuration, ClusterOpening opening) {
    this.configuration = configuration;
    this.replicas = opening.replicas();
    this.dialect = EngineDialect.of(configuration.engine());
    this.executor = Executors.newVirtualThreadPerTaskExecutor();
    this.analyzer =
        new StatementAnalyzer(
            configuration.engine(),
            opening.schema().catalog(),
            Set.of(),
            executor,
            configuration.parse());
    this.balancer = new ReadBalancer(configuration.balancing(), configuration.weights());
    this.active = replicas.stream().map(ReplicaServer::number).toList();
    this.core =
        new ClusterCore(
            new ClusterSettings(configuration.strategy(), configuration.minimumReplicas()),
            active,
            0,
            opening.lastPosition(),
            0);
    this.watch = new ReplicaWatch(this, replicas, configuration.hang());
  }

  /**
   * Opens a cluster: connects to all its servers, compares their versions and schemas, and makes
   * the cluster's own tables.
   */
  public static DatabaseCluster open(ClusterConfiguration configuration) throws SQLException {
    ClusterOpening opening = ClusterOpening.of(configuration);
    DatabaseCluster cluster = new DatabaseCluster(configuration, opening);
    cluster.watch.start();
    return cluster;
  }

  /** What the URL said. */
  public ClusterConfiguration configuration() {
    return configuration;
  }

  /** The numbers of the active replicas. */
  public List<Integer> active() {
    return active;
  }

  /** Why each replica that is out was taken out, by its name. */
  public Map<String, String> losses() {
    Map<String, String> named = new TreeMap<>();
    losses.forEach((replica, reason) -> named.put(replicas.get(replica).name(), reason));
    return named;
  }

  /** Cuts all connections. */
  @Override
  public void close() {
    watch.close();
    replicas.forEach(ReplicaServer::cut);
    executor.shutdown();
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

  /** How often the catalogue of tables has changed. */
  long catalogue() {
    return catalogues.get();
  }

  /** Judges by the tables that a connection sees. */
  void learnTables(Connection connection) throws SQLException {
    analyzer.use(dialect.schema(connection).catalog());
    catalogues.incrementAndGet();
  }

  /** Judges by the tables that are committed. */
  void learnTables() throws SQLException {
    int replica = chooseForRead();
    try {
      Connection connection = replicas.get(replica).borrow();
      try {
        learnTables(connection);
      } finally {
        replicas.get(replica).giveBack(connection);
      }
    } finally {
      balancer.done(replica);
    }
  }

  /** Chooses a replica for a read, which is counted as under way there. */
  int chooseForRead() throws SQLException {
    List<Integer> candidates = active;
    if (candidates.isEmpty()) {
      throw new SQLException("No replica is left: " + losses() + ".", SqlStates.CONNECTION_FAILURE);
    }
    return balancer.choose(candidates);
  }

  ClientTransaction begin(List<String> settings, int home, @Nullable Connection connection) {
    long id = numbers.incrementAndGet();
    ClientTransaction transaction = new ClientTransaction(this, id, settings, home, connection);
    transactions.put(id, transaction);
    return transaction;
  }

  ReplicaBranch branch(int replica, List<String> settings, @Nullable Connection begun) {
    return new ReplicaBranch(replicas.get(replica), executor, settings, begun);
  }

  /** The statement that marks a transaction as applied, within the transaction. */
  String mark(long position) {
    String insert =
        "INSERT INTO %s (position, epoch) VALUES (%d, 0)"
            .formatted(dialect.own("applied"), position);
    return switch (configuration.engine()) {
      case POSTGRESQL -> "SET CONSTRAINTS ALL IMMEDIATE; " + insert;
      case MARIADB -> insert;
    };
  }

  /** Takes a replica out because it does not answer, or its connection broke. */
  void failed(int replica, SQLException failure) {
    post(new ClusterEvent.ReplicaFailed(replica, String.valueOf(failure.getMessage())));
  }

  /** Hands an event to the core and does what it says. */
  void post(ClusterEvent event) {
    stepping.lock();
    try {
      inbox.add(event);
      if (stepUnderWay) {
        return;
      }
      stepUnderWay = true;
      try {
        for (ClusterEvent next = inbox.poll(); next != null; next = inbox.poll()) {
          core.step(next).forEach(this::perform);
        }
      } finally {
        stepUnderWay = false;
      }
    } finally {
      stepping.unlock();
    }
  }

  private void perform(ClusterEffect effect) {
    switch (effect) {
      case ClusterEffect.Execute execute -> of(execute.transaction()).execute(execute);
      case ClusterEffect.Prepare prepare -> of(prepare.transaction()).prepare(prepare);
      case ClusterEffect.Append append -> inbox.add(new ClusterEvent.Logged(append.transaction()));
      case ClusterEffect.CommitAt commit -> of(commit.transaction()).commitAt(commit.replica());
      case ClusterEffect.RollBackAt undo -> of(undo.transaction()).rollBackAt(undo.replica());
      case ClusterEffect.AnswerDone done -> of(done.transaction()).answered(done);
      case ClusterEffect.AnswerAborted aborted -> of(aborted.transaction()).aborted(aborted);
      case ClusterEffect.Forget forget -> transactions.remove(forget.transaction());
      case ClusterEffect.TakeOut out -> takeOut(out);
      case ClusterEffect.RecordView view -> inbox.add(new ClusterEvent.ViewRecorded(view.view()));
      case ClusterEffect.Replay replay -> throw returnsAreNot(replay);
      case ClusterEffect.CatchUp catchUp -> throw returnsAreNot(catchUp);
      case ClusterEffect.Join join -> throw returnsAreNot(join);
    }
  }

  private static IllegalStateException returnsAreNot(ClusterEffect effect) {
    return new IllegalStateException("no replica returns while the cluster is open: " + effect);
  }

  private void takeOut(ClusterEffect.TakeOut out) {
    active = core.active();
    ReplicaServer replica = replicas.get(out.replica());
    losses.put(out.replica(), out.reason());
    LOG.log(
        Level.WARNING,
        "Replica {0} of {1} is taken out: {2}. {3} are left.",
        replica.name(),
        configuration,
        out.reason(),
        new ArrayList<>(active).size());
    executor.execute(replica::cut);
  }

  private ClientTransaction of(long id) {
    ClientTransaction transaction = transactions.get(id);
    if (transaction == null) {
      throw new IllegalStateException("transaction " + id + " is not known");
    }
    return transaction;
  }
}
