package org.terrace.invocation.retention;

import java.util.OptionalLong;

/**
 * The findings of the first statement of a call's transaction.
 *
 * @param fresh whether the key is this transaction's own: nobody has executed the request
 * @param watermark the lowest sequence that the client may still send; empty if the client is not
 *     registered
 * @param epoch the service's epoch; empty if the service has none
 */
record Opening(boolean fresh, OptionalLong watermark, OptionalLong epoch) {}
