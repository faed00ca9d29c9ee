package org.terrace.invocation.retention;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.terrace.invocation.middleware.CallReply;

/** The work of one call: a method of a service with its arguments. */
@FunctionalInterface
public interface Executable {

  /**
   * Runs the call.
   *
   * @param connection the transaction of the call; it is neither committed, rolled back nor closed
   * @return a reply of status {@link CallReply.Status#RESULT}, whose effects count, or {@link
   *     CallReply.Status#REFUSED}, whose effects are rolled back
   * @throws Exception for an error of the infrastructure: what the call wrote is rolled back and
   *     nothing is retained, so that it may be tried again
   */
  CallReply run(@Nullable Connection connection) throws Exception;
}
