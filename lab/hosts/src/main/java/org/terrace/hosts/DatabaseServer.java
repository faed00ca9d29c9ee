package org.terrace.hosts;

import java.util.List;
import org.terrace.nodes.Signal;

/** A database server of a trial on some host. Confined to one thread. */
public interface DatabaseServer extends AutoCloseable {
  /** Makes an empty database. */
  void initialise();

  /** Makes a copy of a data set that was kept; false: there is none, and the database is empty. */
  boolean initialise(String dataSet);

  /** Keeps the data for {@link #initialise(String)}; the server is not running. */
  void keepAs(String dataSet);

  /** Starts the server for a moment, as no node of the trial. */
  void start();

  /** Ends what {@link #start()} started. */
  void stop();

  /** The command that starts the server in the foreground. */
  List<String> command();

  /** The signal that ends the server at once but cleanly. */
  Signal stopSignal();

  /** Whether it accepts connections. */
  boolean isReady();

  /** The URL for JDBC. */
  String jdbcUrl();

  /** Deletes its data; its process has to be gone. */
  @Override
  void close();
}
