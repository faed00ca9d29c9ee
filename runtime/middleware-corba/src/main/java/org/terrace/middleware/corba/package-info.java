/**
 * Calls of replicated services carried by CORBA: JacORB or the GlassFish ORB, whichever lies on the
 * class path, each in a class loader of its own.
 */
@NullMarked
package org.terrace.middleware.corba;

import org.jspecify.annotations.NullMarked;
