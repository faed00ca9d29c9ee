package org.terrace.cluster.jdbc.recovery;

import org.terrace.cluster.core.StatementOutcome;
import org.terrace.cluster.server.dialect.StatementRequest;

/**
 * A statement as every replica executed it, and what came of it.
 *
 * @param definition whether it changed the schema
 * @param outcome what must come of it again
 */
public record LoggedStatement(
    StatementRequest request, boolean definition, StatementOutcome outcome) {}
