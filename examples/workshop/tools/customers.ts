import { ToolFault, faults } from "waybill";
import { type ToolDefinition, defineTool } from "waybill/server";
import * as z from "zod";
import type { KeptData } from "../kept-data.ts";

interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly open_orders: number;
}

const noInput = z.object({});
const pkInput = z.object({ kwargs: z.object({ pk: z.string() }) });

// Seed 003's view sets answer in Python's own words.
const NOT_FOUND = "ViewSet returned error: {'detail': 'Not found.'}";

function shown({ id, name, email }: Customer): Omit<Customer, "open_orders"> {
  return { id, name, email };
}

async function findCustomer(data: KeptData, pk: string): Promise<{ all: Customer[]; index: number }> {
  const { value: all } = await data.read<Customer[]>("customers.json");
  const index = all.findIndex(({ id }) => String(id) === pk);
  if (index >= 0) return { all, index };
  throw new ToolFault(NOT_FOUND, { errorCode: "NOT_FOUND" });
}

export function customersListTool(data: KeptData): ToolDefinition<"customers_list", typeof noInput> {
  return defineTool(
    "customers_list",
    { description: "List all customers", inputSchema: noInput, dialect: "drf" },
    async () => (await data.read<Customer[]>("customers.json")).value.map(shown),
  );
}

export function customersRetrieveTool(data: KeptData): ToolDefinition<"customers_retrieve", typeof pkInput> {
  return defineTool(
    "customers_retrieve",
    { description: "Retrieve one customer by its primary key", inputSchema: pkInput, dialect: "drf" },
    async ({ kwargs: { pk } }) => {
      const { all, index } = await findCustomer(data, pk);
      return all.slice(index, index + 1).map(shown)[0];
    },
  );
}

export function customersDestroyTool(data: KeptData): ToolDefinition<"customers_destroy", typeof pkInput> {
  return defineTool(
    "customers_destroy",
    {
      description: "Delete one customer by its primary key",
      inputSchema: pkInput,
      dialect: "drf",
      annotations: { destructiveHint: true },
    },
    async ({ kwargs: { pk } }) => {
      const { all, index } = await findCustomer(data, pk);
      if ((all[index]?.open_orders ?? 0) > 0) throw faults.conflict("Customer has open orders");
      all.splice(index, 1);
      return null;
    },
  );
}
