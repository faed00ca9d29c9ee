package org.terrace.invocation.retention.oracle;

import java.nio.file.Path;
import java.util.List;

/**
 * The circumstances of a history. Immutable.
 *
 * @param seed of what is done to whom and when
 * @param addresses of the replicas
 * @param url of the database
 * @param user of the database
 * @param folder for the processes' logs
 * @param planted the mistake in the replicas
 * @param kinds of faults
 */
record OracleSetup(
    long seed,
    List<String> addresses,
    String url,
    String user,
    Path folder,
    Planted planted,
    List<OracleFaults.Fault> kinds) {}
