/** A clustered database for many applications: its owner's process, the protocol, the driver. */
package org.terrace.cluster.controller;
