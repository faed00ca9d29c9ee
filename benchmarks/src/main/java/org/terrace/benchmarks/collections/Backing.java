package org.terrace.benchmarks.collections;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.databases.postgres.PostgresOptions;
import org.terrace.databases.postgres.PostgresServer;

/** The database behind the servers of a subject that has one. Confined to one thread. */
interface Backing extends AutoCloseable {
  /** The address, in a form that the subject's map understands; no blanks. */
  String address();

  @Override
  void close();

  /** Nothing behind the servers. */
  static Backing none() {
    return new Backing() {
      @Override
      public String address() {
        return "-";
      }

      @Override
      public void close() {}
    };
  }

  /** A PostgreSQL server as the project starts it for experiments: commits wait for the disk. */
  static Backing postgres(int port) {
    PostgresServer server = new PostgresServer(PostgresOptions.at(Cluster.HOST, port));
    server.initialise().start();
    return new Backing() {
      @Override
      public String address() {
        return server.jdbcUrl();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }

  /** A Redis server and two replicas of it, in memory alone. */
  static Backing redis(List<Integer> ports, Processes processes) throws IOException {
    List<Process> servers = new ArrayList<>();
    for (int port : ports) {
      List<String> command = new ArrayList<>();
      command.addAll(List.of("redis-server", "--bind", Cluster.HOST, "--port", "" + port));
      command.addAll(List.of("--save", "", "--appendonly", "no", "--daemonize", "no"));
      command.addAll(List.of("--repl-diskless-sync-delay", "0"));
      if (port != ports.getFirst()) {
        command.addAll(List.of("--replicaof", Cluster.HOST + " " + ports.getFirst()));
        command.addAll(List.of("--repl-diskless-load", "swapdb"));
      }
      servers.add(processes.start(command, true));
    }
    return new Backing() {
      @Override
      public String address() {
        return ports.getFirst().toString();
      }

      @Override
      public void close() {
        Processes.end(servers);
      }
    };
  }
}
