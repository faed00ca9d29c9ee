/**
 * Exactly-once effects: the reply of a call is stored in the service's database in the same
 * transaction as what the call wrote, so that a request that is sent again gets the stored reply.
 */
package org.terrace.invocation.retention;
