/** Calls of replicated services carried by gRPC, as byte strings under one unary method. */
@NullMarked
package org.terrace.middleware.grpc;

import org.jspecify.annotations.NullMarked;
